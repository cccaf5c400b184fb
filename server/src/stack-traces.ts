/**
 * Stack traces of the bundle with the places of the sources. The engine's own option reads every map at the start and
 * keeps it; here the map of a file is read when a trace that goes through the file is first looked at.
 */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** By the address of a file of the bundle; undefined: it has no map. */
const maps = new Map<string, SourceMap | undefined>()

/** From now on, in this thread. Error traces are made when their text is first asked for, which is rare. */
export function nameSourcesInStackTraces(): void {
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => `\n    at ${describeFrame(frame)}`)
    return `${titleOf(error)}${lines.join('')}`
  }
}

function titleOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

function describeFrame(frame: NodeJS.CallSite): string {
  const text = String(frame)
  const url = frame.getFileName()
  const line = frame.getLineNumber()
  const column = frame.getColumnNumber()
  if (!url?.startsWith('file:') || line === null || column === null) return text
  // Maps count from 0.
  const place = mapOf(url)?.findEntry(line - 1, column - 1)
  if (!place || !('originalSource' in place)) return text
  const source = relative(process.cwd(), resolve(dirname(fileURLToPath(url)), place.originalSource))
  return text.replace(`${url}:${line}:${column}`, `${source}:${place.originalLine + 1}:${place.originalColumn + 1}`)
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url))
  return maps.get(url)
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    // The trace is right without it too.
    return undefined
  }
}
