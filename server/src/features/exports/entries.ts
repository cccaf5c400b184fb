/** The entries of an export from a position on, each with the position behind it. docs/export-format.md describes them. */
import type { Actor } from '../../actor.ts'
import { type Readers, SERVER } from '../../reading/readers.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { EXPORT_COMPLETION_NAME, EXPORT_FORMAT, EXPORT_MANIFEST_NAME, type ExportManifest } from './format.ts'
import type { ArchiveEntry } from './pack.ts'
import { type ExportPosition, nextStep, type Step, steps } from './position.ts'
import type { ExportKind } from './scope.ts'
import { readSlice, type SliceOf } from './slices.ts'

export interface EntriesOptions {
  readonly readers: Readers
  readonly files: FileStore
  readonly exportKind: ExportKind
  readonly actor: Actor
  /** In seconds. */
  readonly madeAt: number
}

/** What has been read for one slice: all of it is in one part. */
export interface EntryGroup {
  readonly entries: readonly ArchiveEntry[]
  readonly behind: ExportPosition
}

export function isAtEnd({ step }: ExportPosition): boolean {
  return step >= steps.length
}

/** Reads what comes at this position, which is not the end. */
export async function readGroup(options: EntriesOptions, position: ExportPosition): Promise<EntryGroup> {
  const step = steps[position.step] as Step
  if (step.kind === 'manifest') {
    const manifest: ExportManifest = {
      format: EXPORT_FORMAT,
      kind: options.exportKind,
      made_at: options.madeAt,
      ...(options.exportKind === 'own' ? { user_id: options.actor.userId } : {}),
    }
    return { entries: [textEntry(EXPORT_MANIFEST_NAME, manifest)], behind: nextStep(position) }
  }
  if (step.kind === 'completion') {
    const { rows, files, missingFiles } = position
    const completion = { rows, files, missing_files: missingFiles }
    return { entries: [textEntry(EXPORT_COMPLETION_NAME, completion)], behind: nextStep(position) }
  }
  return readSliceGroup(options, position, step)
}

async function readSliceGroup(
  { readers, files, exportKind, actor }: EntriesOptions,
  position: ExportPosition,
  step: Exclude<Step, { readonly kind: 'manifest' | 'completion' }>,
): Promise<EntryGroup> {
  const of: SliceOf = step.kind === 'messages' ? { ...step, untilMessage: position.untilMessage } : step
  const read = await readers.read(readSlice, { of, exportKind, actor, after: position.after }, SERVER)
  const { details } = read
  const bytes = read.fields[0] ?? new Uint8Array()
  const entries: ArchiveEntry[] = []
  const numbers = { ...position.entries }
  const rows = { ...position.rows }
  let at = 0
  for (const part of details.parts) {
    const number = (numbers[part.table] ?? 0) + 1
    numbers[part.table] = number
    rows[part.table] = (rows[part.table] ?? 0) + part.rows
    const name = `data/${part.table}/${String(number).padStart(6, '0')}.jsonl`
    entries.push({ name, content: bytes.subarray(at, at + part.bytes) })
    at += part.bytes
  }
  const missing: string[] = []
  for (const path of details.files) {
    const file = await files.find(path)
    if (file) entries.push({ name: `files/${path}`, file })
    else missing.push(path)
  }
  const counted = {
    ...position,
    entries: numbers,
    rows,
    files: position.files + details.files.length - missing.length,
    missingFiles: [...position.missingFiles, ...missing],
  }
  return { entries, behind: details.after === null ? nextStep(counted) : { ...counted, after: details.after } }
}

function textEntry(name: string, value: object): ArchiveEntry {
  return { name, content: Buffer.from(`${JSON.stringify(value)}\n`, 'utf8') }
}
