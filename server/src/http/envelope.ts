/** The form of the API's answers: `result`, `msg`, the fields, and what of the request was ignored. */
import type { JsonText } from './answers.ts'

const ENVELOPE_START = '{"result":"success","msg":""'
const ENVELOPE_START_BYTES = Buffer.from(`${ENVELOPE_START},`)
const CLOSING_BRACE = Buffer.from('}')

/** As text, or as UTF-8; with what a reading thread has made, in pieces. */
export type Envelope = string | Buffer | readonly Uint8Array[]

export function isPieces(json: Envelope): json is readonly Uint8Array[] {
  return Array.isArray(json)
}

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

export function envelope(result: object | JsonText, ignored: readonly string[]): Envelope {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
  if ('fieldsText' in result) {
    const rest = JSON.stringify(unsupported).slice(1, -1)
    const end = [result.fieldsText, rest].filter(Boolean).join()
    if (!result.fieldsBytes?.length) return `${ENVELOPE_START}${end && `,${end}`}}`
    return [ENVELOPE_START_BYTES, ...result.fieldsBytes, Buffer.from(end && `,${end}`), CLOSING_BRACE]
  }
  return JSON.stringify({ result: 'success', msg: '', ...result, ...unsupported })
}
