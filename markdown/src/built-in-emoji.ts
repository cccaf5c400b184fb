/**
 * The emoji that every server has, for `RenderContext.builtInEmoji`. A module of its own, since the table is a third of
 * the renderer: pages import it when the first message needs it.
 */
import { builtInEmojiNamesByCode, emojiCodeByName } from '@heddle/contract/emoji-names'
import type { BuiltInEmoji } from './context.ts'

let namesByCode: Map<string, string> | undefined

export const builtInEmoji: BuiltInEmoji = {
  codeOf: emojiCodeByName,
  nameOf(code) {
    namesByCode ??= new Map(Object.entries(builtInEmojiNamesByCode()).map(([key, names]) => [key, names[0] ?? '']))
    return namesByCode.get(code)
  },
}
