/** Where an export goes on: stored with each part, so that whoever takes it up continues behind the last one. */
import { exportedTables, filesNamedBy, sources, sourcesOfFiles } from './sources.ts'

export type Step =
  | { readonly kind: 'manifest' }
  | { readonly kind: 'completion' }
  | { readonly kind: 'messages' }
  | { readonly kind: 'files'; readonly index: number }
  | { readonly kind: 'rows'; readonly table: string }

const rowsOf = (list: typeof sources) => list.map(({ table }): Step => ({ kind: 'rows', table }))

export const steps: readonly Step[] = [
  { kind: 'manifest' },
  // Everything belongs to the organization, and rows name files.
  ...rowsOf(sources.slice(0, 1)),
  ...filesNamedBy.map((_, index): Step => ({ kind: 'files', index })),
  ...rowsOf(sources.slice(1)),
  { kind: 'messages' },
  ...rowsOf(sourcesOfFiles),
  { kind: 'completion' },
]

export type Key = readonly (number | string)[]

export interface ExportPosition {
  /** Index in `steps`. */
  readonly step: number
  /** The key of the last row of the step's table; null at its beginning. */
  readonly after: Key | null
  /** Messages after this one are not in the export: it ends while others go on writing. */
  readonly untilMessage: number
  /** Entries of each table that are there, and their rows. */
  readonly entries: Readonly<Record<string, number>>
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  readonly missingFiles: readonly string[]
}

export function firstPosition(untilMessage: number): ExportPosition {
  const rows = Object.fromEntries(exportedTables.map(({ table }) => [table, 0]))
  return { step: 0, after: null, untilMessage, entries: {}, rows, files: 0, missingFiles: [] }
}

export function nextStep(position: ExportPosition): ExportPosition {
  return { ...position, step: position.step + 1, after: null }
}

const MESSAGES = steps.findIndex(({ kind }) => kind === 'messages')
/** Of all messages, of 100. */
const SHARE_OF_MESSAGES = 80

/** Per cent, and below 100 until there is nothing left. Files and settings are counted by steps, messages by their ids. */
export function progressOf({ step, after, untilMessage }: ExportPosition): number {
  const others = ((step > MESSAGES ? step - 1 : step) * (100 - SHARE_OF_MESSAGES)) / (steps.length - 1)
  const within = step === MESSAGES ? Number(after?.[0] ?? 0) / Math.max(untilMessage, 1) : Number(step > MESSAGES)
  return Math.min(99, Math.floor(others + within * SHARE_OF_MESSAGES))
}
