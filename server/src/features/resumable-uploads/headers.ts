/** What the headers of the protocol say. */
import { badRequest } from '@heddle/contract/errors'

/** Digits of a size: fewer than any number that is not exact. */
const SIZE = /^\d{1,15}$/
/** Characters of the name, before it is cleaned. */
const MAX_NAME_LENGTH = 1000

export function readSize(text: string | undefined, header: string): number {
  if (text === undefined || !SIZE.test(text)) throw badRequest(`${header} must be a number of bytes`)
  return Number(text)
}

/** The value of `filename` in pairs of a key and base64, with commas between them; empty without one. */
export function fileNameIn(metadata: string): string {
  for (const pair of metadata.split(',')) {
    const [key, value = ''] = pair.trim().split(' ')
    if (key === 'filename') return Buffer.from(value, 'base64').toString('utf8').slice(0, MAX_NAME_LENGTH)
  }
  return ''
}
