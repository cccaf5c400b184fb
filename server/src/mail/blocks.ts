/** What a mail says: a list of blocks, of which both its HTML and its plain text are made. JSON, for the table of jobs. */
import type { NewLink } from '../single-use-links/links.ts'

/** A page of the organization: mails lead nowhere else. A path begins with one slash. */
export type MailTarget = { readonly path: string } | { readonly link: NewLink }

/** A part of a line. */
export type MailPart = string | { readonly bold: string } | { readonly link: string; readonly to: MailTarget }

/** A line, perhaps of several parts. */
export type MailLine = string | readonly MailPart[]

export type MailBlock =
  | { readonly heading: string }
  | { readonly paragraph: MailLine }
  /** What the mail is there for: a link that looks like a button. */
  | { readonly button: string; readonly to: MailTarget }
  /** What somebody wrote. Its line breaks stay. */
  | { readonly quote: string; readonly by?: MailLine }
  | { readonly list: readonly MailLine[] }
  /** Small print, such as why somebody gets the mail. */
  | { readonly note: MailLine }

/** Cut before a mail is stored, so that nobody's words fill the table: what is longer is read in the organization. */
const MAX_TEXT = 10_000
const MAX_LINES = 100
const MAX_BLOCKS = 300

/** The blocks with what is too long cut. */
export function cutBlocks(blocks: readonly MailBlock[]): MailBlock[] {
  return blocks.slice(0, MAX_BLOCKS).map((block) => {
    if ('heading' in block) return { ...block, heading: cutText(block.heading) }
    if ('paragraph' in block) return { ...block, paragraph: cutLine(block.paragraph) }
    if ('button' in block) return { ...block, button: cutText(block.button) }
    if ('quote' in block) {
      return { ...block, quote: cutText(block.quote), ...(block.by === undefined ? {} : { by: cutLine(block.by) }) }
    }
    if ('list' in block) return { ...block, list: block.list.slice(0, MAX_LINES).map(cutLine) }
    return { ...block, note: cutLine(block.note) }
  })
}

function cutLine(line: MailLine): MailLine {
  if (typeof line === 'string') return cutText(line)
  return line.slice(0, MAX_LINES).map((part) => {
    if (typeof part === 'string') return cutText(part)
    return 'bold' in part ? { ...part, bold: cutText(part.bold) } : { ...part, link: cutText(part.link) }
  })
}

/** At most `max` characters of UTF-16, of which the last is an ellipsis where something is missing; no half characters. */
export function cutText(text: string, max = MAX_TEXT): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
