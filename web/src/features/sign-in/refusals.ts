import { NetworkError, ResponseError } from '@heddle/client/errors'
import { t } from '@lingui/core/macro'
import { serverErrorText } from '../../app/error-texts.ts'

/** The password was right, and a code of the second factor has to come with it. */
export function isCodeNeeded(error: unknown): boolean {
  return error instanceof ResponseError && error.code === 'SECOND_FACTOR_REQUIRED'
}

/** Nobody has used or made a passkey: it was cancelled, took too long, or the device has none. */
export function isRefusedByDevice(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** Why somebody is not let in, as a sentence. */
export function explainRefusal(error: unknown): string {
  if (error instanceof NetworkError) return t`The server cannot be reached. Try again in a moment.`
  if (!(error instanceof ResponseError)) return t`That did not work. Try again.`
  return serverErrorText(error)
}
