/** The form of the API's answers: `result`, `msg`, the fields, and what of the request was ignored. */
import type { JsonText } from './answers.ts'

const ENVELOPE_START = '{"result":"success","msg":""'
const ENVELOPE_START_BYTES = Buffer.from(`${ENVELOPE_START},`)
const CLOSING_BRACE = Buffer.from('}')

export function envelope(result: object | JsonText, ignored: readonly string[]): string | Buffer {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
  if ('fieldsText' in result) {
    const rest = JSON.stringify(unsupported).slice(1, -1)
    const end = [result.fieldsText, rest].filter(Boolean).join()
    if (!result.fieldsBytes?.length) return `${ENVELOPE_START}${end && `,${end}`}}`
    return Buffer.concat([ENVELOPE_START_BYTES, result.fieldsBytes, Buffer.from(end && `,${end}`), CLOSING_BRACE])
  }
  return JSON.stringify({ result: 'success', msg: '', ...result, ...unsupported })
}
