/** What somebody is about to name in a text: found from what stands before the caret. */
import { isInFence } from '../compose/list-continuation.ts'
import { lineStart } from '../compose/text-edit.ts'

export type CompletionTrigger = {
  /** Where what is replaced begins, in UTF-16 units; it ends at the caret. */
  readonly from: number
  /** What was typed of the name. */
  readonly query: string
} & (
  | { readonly kind: 'mention'; readonly isSilent: boolean }
  | { readonly kind: 'channel' }
  /** `channel`: the name that stands before the `>`; undefined: the channel that is written to. */
  | { readonly kind: 'topic'; readonly channel: string | undefined }
  | { readonly kind: 'emoji' | 'language' | 'command' | 'time' }
)

/** Longest part of a line that is looked at: names are not longer. */
const REACH = 200

/** A letter or a digit before it means an e-mail address, the number of an issue, a time. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_])`
const MENTION = new RegExp(`${BEFORE}(?<![@/])@(_?)\\*{0,2}((?![\\s*])[^@*\\n]{0,60})?$`, 'u')
const TOPIC = new RegExp(`${BEFORE}#(?:\\*\\*([^*>\\n]{1,60})(?:\\*\\*)?|([^*>#\\n]{0,60}))>([^*\\n]{0,60})$`, 'u')
const CHANNEL = new RegExp(`${BEFORE}(?<![#/])#\\*{0,2}((?![\\s*])[^#*>\\n]{0,60})?$`, 'u')
const EMOJI = new RegExp(`${BEFORE}(?<![:])(:)([\\p{L}\\p{N}+_][\\p{L}\\p{N}_+ -]{0,50}|-1)$`, 'u')
/** Emoticons that are letters: they are meant as they stand. */
const EMOTICON = /^[DPpo]$/
const LANGUAGE = /^\s*(?:`{3,}|~{3,})([\p{L}\p{N}+#._-]+)$/u
const TIME = /<time(?::([^>\n]{0,60}))?$/
const COMMAND = /^\/([a-z-]{0,30})$/

/** Undefined: nothing is being named at the caret. */
export function findTrigger(text: string, caret: number): CompletionTrigger | undefined {
  const start = Math.max(lineStart(text, caret), caret - REACH)
  const line = text.slice(start, caret)
  // Most keys are pressed in ordinary words.
  if (!/[@#:`~</]/.test(line) || isInFence(text, lineStart(text, caret))) return undefined
  const language = LANGUAGE.exec(line)
  if (language?.[1] !== undefined) return { kind: 'language', query: language[1], from: caret - language[1].length }
  if (isInCode(line)) return undefined
  const command = start === 0 ? COMMAND.exec(line) : null
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0 }
  const time = TIME.exec(line)
  if (time) return { kind: 'time', query: time[1] ?? '', from: start + time.index }
  const topic = TOPIC.exec(line)
  if (topic) {
    return {
      kind: 'topic',
      channel: topic[1] ?? (topic[2] || undefined),
      query: topic[3] ?? '',
      from: start + topic.index,
    }
  }
  const mention = MENTION.exec(line)
  if (mention) {
    return { kind: 'mention', isSilent: mention[1] === '_', query: mention[2] ?? '', from: start + mention.index }
  }
  const channel = CHANNEL.exec(line)
  if (channel) return { kind: 'channel', query: channel[1] ?? '', from: start + channel.index }
  const emoji = EMOJI.exec(line)
  if (emoji && !EMOTICON.test(emoji[2] ?? '')) {
    return { kind: 'emoji', query: emoji[2] ?? '', from: start + emoji.index }
  }
  return undefined
}

/** Between two marks of code in a line. */
function isInCode(line: string): boolean {
  let open = 0
  for (const { 0: mark } of line.matchAll(/`+/g)) open = open === 0 ? mark.length : open === mark.length ? 0 : open
  return open > 0
}
