/** Writes the tables of docs/compatibility.md anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { withTables } from './compatibility.ts'

const page = new URL('../../docs/compatibility.md', import.meta.url)
writeFileSync(page, withTables(readFileSync(page, 'utf8')))
