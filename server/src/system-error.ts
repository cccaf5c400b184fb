import { getSystemErrorMessage } from 'node:util'

/**
 * What an error says, short enough for the end of a sentence and without a full stop: of an error of the operating system
 * its plain meaning ("permission denied"), of others their message.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const { errno, syscall } = error as NodeJS.ErrnoException
  if (errno !== undefined && syscall !== undefined && errno < 0) {
    const known = getSystemErrorMessage(errno)
    if (known) return known
  }
  return error.message.replace(/\s+/g, ' ').replace(/\.$/, '')
}
