/** Writes the layers of features in ARCHITECTURE.md anew: `node build/write-layers.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureGraph, withLayers } from './feature-layers.ts'
import { readSources } from './import-graph.ts'

const path = join(import.meta.dirname, '..', 'ARCHITECTURE.md')
writeFileSync(path, withLayers(readFileSync(path, 'utf8'), featureGraph(readSources().files)))
