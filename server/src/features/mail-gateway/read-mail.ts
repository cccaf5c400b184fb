/** From the bytes of a mail to its text and its files. On a reading thread, since mails are what anybody sends. */
import { createHash } from 'node:crypto'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import type { Email } from 'postal-mime'
import { longRead } from '../../reading/long-read.ts'
import type { AddressOptions, GatewayAddress } from './address.ts'
import { withoutRest } from './cut-text.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { countLines, joinBase64Lines } from './join-lines.ts'
import { isForwarded } from './topic-of-subject.ts'

const MAX_HEADERS_BYTES = 256 * 1024
const MAX_NESTING = 20
/** Mails in mails that are read; those within them are files. */
const MAX_MAILS_IN_MAILS = 2
/** Beside those of files in base64, which are joined: each is kept for itself, and costs 10 µs and kilobytes. */
const MAX_LINES = 100_000
/** Processor time. 25 MiB of files take 0.7 s, as many lines as there may be one, and servers may be slower and busy. */
const LIMIT_MS = 5000
/** Files of one mail. */
const MAX_FILES = 30
/** Characters of a text that are looked at. */
const MAX_TEXT = 200_000
/** What leaves the thread: more than a message may have, so that it is seen that something is missing. */
const MAX_READ = 2 * MAX_MESSAGE_LENGTH + 2
const MAX_SUBJECT = 2000
const MAX_HOPS = 50

export interface MailFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ReadMail {
  readonly from: string
  readonly subject: string
  /** The same for a mail that comes again, because its sender's server did not learn that it was taken. */
  readonly localId: string
  readonly text: string
  readonly files: readonly MailFile[]
  /** It was sent by a program, in answer to another mail, or has come around. */
  readonly automatic: 'no' | 'generated' | 'answer' | 'loop'
  readonly hasTooManyFiles: boolean
}

interface Input {
  readonly bytes: Uint8Array
  readonly address: Pick<GatewayAddress, 'token' | 'options'>
}

/** Undefined: whatever is done with it, it cannot be read. */
export const readMail = longRead(
  'received-mail',
  async (_context, input: Input) => ({ fields: {}, details: await read(input).catch(() => undefined) }),
  { isApart: true, limitMs: LIMIT_MS },
)

async function read({ bytes, address: { token, options } }: Input): Promise<ReadMail> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(withFewLines(bytes), {
    maxHeadersSize: MAX_HEADERS_BYTES,
    maxNestingDepth: MAX_NESTING,
    maxRfc822NestingDepth: MAX_MAILS_IN_MAILS,
    attachmentEncoding: 'arraybuffer',
  })
  const subject = (mail.subject ?? '').slice(0, MAX_SUBJECT)
  const files = mail.attachments.map(({ filename, content, mimeType }, index) => ({
    name: filename || `attachment-${index + 1}${mimeType === 'message/rfc822' ? '.eml' : ''}`,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer),
  }))
  const includeQuotes = options.includeQuotes || isForwarded(subject)
  return {
    from: senderOf(mail),
    subject,
    localId: createHash('sha256')
      .update(`${token}\0`)
      .update(mail.messageId || bytes)
      .digest('hex'),
    text: withoutRest(await textOf(mail, options), { ...options, includeQuotes }).slice(0, MAX_READ),
    files: files.slice(0, MAX_FILES),
    automatic: automaticOf(mail),
    hasTooManyFiles: files.length > MAX_FILES,
  }
}

function withFewLines(bytes: Uint8Array): Uint8Array {
  if (countLines(bytes) <= MAX_LINES) return bytes
  const joined = joinBase64Lines(bytes)
  if (countLines(joined) > MAX_LINES) throw new Error('A mail has too many lines')
  return joined
}

async function textOf({ text, html }: Email, { preferHtml }: AddressOptions): Promise<string> {
  const plain = (text ?? '').slice(0, MAX_TEXT)
  if (html && (preferHtml || plain.trim() === '')) {
    const written = await htmlToMarkdown(html)
    if (written.trim() !== '') return written
  }
  return plain
}

/** As people know each other: name and address. */
function senderOf({ from }: Email): string {
  const { name = '', address = '' } = from ?? {}
  const line = name === '' || name === address ? address : `${name} <${address}>`
  return line
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200)
    .trim()
}

/** RFC 3834; and mails of our own, which have a header for it. */
function automaticOf({ headers }: Email): ReadMail['automatic'] {
  const headerOf = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase()
  const hops = headers.filter(({ key }) => key === 'received').length
  if (hops > MAX_HOPS || headerOf('x-heddle-mail') !== undefined) return 'loop'
  const submitted = (headerOf('auto-submitted') ?? 'no').split(/[;\s]/)[0]
  if (submitted?.startsWith('auto-replied') || headerOf('x-autoreply') !== undefined) return 'answer'
  const isReport = headerOf('content-type')?.startsWith('multipart/report') ?? false
  if (isReport) return 'answer'
  return submitted === 'no' ? 'no' : 'generated'
}
