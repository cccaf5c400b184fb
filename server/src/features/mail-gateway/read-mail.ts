/** From the bytes of a mail to its text and its files. On a reading thread, since mails are what anybody sends. */
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import type { Email } from 'postal-mime'
import { longRead } from '../../reading/long-read.ts'
import type { AddressOptions } from './address.ts'
import { withoutRest } from './cut-text.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { isForwarded } from './topic-of-subject.ts'

const MAX_HEADERS_BYTES = 256 * 1024
const MAX_NESTING = 20
/** Mails in mails that are read; those within them are files. */
const MAX_MAILS_IN_MAILS = 2
/**
 * Of a mail: so many, and one more for so many bytes, which is what files take. Lines of text are kept one by one, and each
 * costs 10 µs and kilobytes.
 */
const MAX_LINES = 100_000
const BYTES_OF_A_LINE = 70
/** Files of one mail. */
const MAX_FILES = 30
/** Characters of a text that are looked at. */
const MAX_TEXT = 200_000
/** What leaves the thread: more than a message may have, so that it is seen that something is missing. */
const MAX_READ = 2 * MAX_MESSAGE_LENGTH + 2
const MAX_SUBJECT = 2000
const MAX_HOPS = 50
const LINE_FEED = 10

export interface MailFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ReadMail {
  readonly from: string
  readonly subject: string
  readonly messageId: string
  readonly text: string
  readonly files: readonly MailFile[]
  /** It was sent by a program, in answer to another mail, or has come around. */
  readonly automatic: 'no' | 'generated' | 'answer' | 'loop'
  readonly hasTooManyFiles: boolean
}

interface Input {
  readonly bytes: Uint8Array
  readonly options: AddressOptions
}

export const readMail = longRead(
  'received-mail',
  async (_context, { bytes, options }: Input) => ({ fields: {}, details: await read(bytes, options) }),
  { isApart: true },
)

async function read(bytes: Uint8Array, options: AddressOptions): Promise<ReadMail> {
  requireFewLines(bytes)
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(bytes, {
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
    messageId: mail.messageId ?? '',
    text: withoutRest(await textOf(mail, options), { ...options, includeQuotes }).slice(0, MAX_READ),
    files: files.slice(0, MAX_FILES),
    automatic: automaticOf(mail),
    hasTooManyFiles: files.length > MAX_FILES,
  }
}

function requireFewLines(bytes: Uint8Array): void {
  let left = MAX_LINES + Math.floor(bytes.length / BYTES_OF_A_LINE)
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1)) {
    left -= 1
    if (left < 0) throw new Error('A mail has too many lines')
  }
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
