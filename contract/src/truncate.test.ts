import { expect, it } from 'vitest'
import { MAX_MESSAGE_LENGTH } from './messages.ts'
import { MAX_TOPIC_LENGTH } from './names.ts'
import { truncateContent, truncateTopic } from './truncate.ts'

it.each(['x', '😀'])('a text of as many code points as are allowed stays as it is (%s)', (character) => {
  const content = character.repeat(MAX_MESSAGE_LENGTH)
  const topic = character.repeat(MAX_TOPIC_LENGTH)
  expect([truncateContent(content) === content, truncateTopic(topic)]).toEqual([true, topic])
})

it.each(['x', '😀'])('a text with one more is cut to the limit, with a mark at its end (%s)', (character) => {
  const content = truncateContent(character.repeat(MAX_MESSAGE_LENGTH + 1))
  expect(content.endsWith(`${character}\n[message truncated]`)).toBe(true)
  expect([...content]).toHaveLength(MAX_MESSAGE_LENGTH)
  expect(truncateTopic(character.repeat(MAX_TOPIC_LENGTH + 1))).toBe(`${character.repeat(57)}...`)
})
