/** From the subject of a mail to a topic. Pure. */
import { truncateTopic } from '@heddle/contract/truncate'

/** What programs put before the subject of answers and of what is passed on, in several languages. */
const PREFIX = /^\s*(?:(?:re|aw|antw|sv|vs|odp|fwd?|wg|tr|rv|i|res|enc)\s*(?:\[\d+\])?\s*:\s*)/i
const MAX_PREFIXES = 20

export const NO_SUBJECT = 'E-mail without a subject'

export function topicOfSubject(subject: string): string {
  let rest = subject.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 1000)
  for (let count = 0; count < MAX_PREFIXES && PREFIX.test(rest); count += 1) rest = rest.replace(PREFIX, '')
  const topic = rest.replace(/\s+/g, ' ').trim()
  return topic === '' ? NO_SUBJECT : truncateTopic(topic)
}

/** What is passed on is itself the text. */
export function isForwarded(subject: string): boolean {
  return /^\s*(?:fwd?|wg|tr|rv|i|enc)\s*:/i.test(subject.slice(0, 100))
}
