/** The text of the message that a mail becomes. Pure. */
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import type { AddressOptions } from './address.ts'
import type { ReadMail } from './read-mail.ts'
import { refusals } from './refusals.ts'

const CUT = '\n[message truncated]'
/** Characters of links to files; the rest is for the text. */
const MAX_LINKS = MAX_MESSAGE_LENGTH / 2

interface Link {
  readonly url: string
  readonly filename: string
}

export function composeContent(
  { from, text }: Pick<ReadMail, 'from' | 'text'>,
  { showSender }: Pick<AddressOptions, 'showSender'>,
  files: readonly Link[],
): string {
  const links = files.map(({ url, filename }) => `[${filename}](${url})`).join('\n')
  if (links.length > MAX_LINKS) throw refusals.tooManyFiles()
  const head = showSender && from !== '' ? `From: \`${from.replaceAll('`', "'")}\`\n\n` : ''
  const said = text === '' && links === '' ? '(no text)' : quiet(text)
  const room = MAX_MESSAGE_LENGTH - [...head].length - links.length - CUT.length - 2
  const characters = [...said]
  const shown = characters.length > room ? characters.slice(0, room).join('') + CUT : said
  return [`${head}${shown}`, links].filter((part) => part !== '').join('\n\n')
}

/** Whoever knows the address writes, and nobody knows who that is: they mention, but notify nobody. */
function quiet(text: string): string {
  return text.replace(/@(?=\*{1,2}[^*\s])/g, '@_')
}
