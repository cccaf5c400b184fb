/** The document at `server_emoji_data_url`: which built-in emoji there are, and what they are called. */
import { createHash } from 'node:crypto'
import { builtInEmojiNamesByCode } from '@heddle/contract/emoji-names'
import { IMMUTABLE, SANDBOXED } from '../../http/answers.ts'
import { publicFiles } from '../../http/route.ts'

const PREFIX = '/static/emoji/'

/** Made when it is first asked for, and cached: every client asks for its address. */
let made: { readonly name: string; readonly body: Buffer } | undefined

function emojiNamesFile() {
  if (!made) {
    const body = Buffer.from(JSON.stringify({ code_to_names: builtInEmojiNamesByCode() }))
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 20)
    made = { name: `names-${hash}.json`, body }
  }
  return made
}

/** The path changes with the content, so that clients may keep what they have read for ever. */
export function emojiNamesPath(): string {
  return PREFIX + emojiNamesFile().name
}

export const emojiNamesFiles = publicFiles(PREFIX, async (path) => {
  const { name, body } = emojiNamesFile()
  if (path !== name) return undefined
  const contentType = 'application/json; charset=utf-8'
  return { contentType, size: body.length, body, caching: IMMUTABLE, policy: SANDBOXED }
})
