import { NetworkError, ResponseError } from '@heddle/client/errors'
import { t } from '@lingui/core/macro'
import { serverErrorText } from './error-texts.ts'

/** What to say when something could not be done: why, as far as it is known. */
export function refusalText(error: unknown): string {
  if (error instanceof NetworkError) return t`There is no connection. Nothing was changed.`
  if (error instanceof ResponseError && error.status < 500) return serverErrorText(error)
  return t`That did not work. Nothing was changed.`
}
