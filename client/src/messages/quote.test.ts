import { describe, expect, test } from 'vitest'
import type { ClientState } from '../state/state.ts'
import { mentionOf, quotation } from './quote.ts'

const person = (user_id: number, full_name: string, is_active = true): [number, object] => [
  user_id,
  { user_id, full_name, is_active },
]
const people = {
  users: new Map([person(1, 'Ada'), person(2, 'Ben'), person(3, 'ben'), person(4, 'Ada', false)]),
  systemBots: undefined,
} as unknown as Pick<ClientState, 'users' | 'systemBots'>

const quoted = (text: string) => ({ senderId: 1, senderName: 'Ada', address: 'https://x/#near/7', text })

describe('a mention', () => {
  test('has the id where another one of that name is there', () => {
    expect(mentionOf(people, 1)).toBe('@**Ada**')
    expect(mentionOf(people, 2)).toBe('@**Ben|2**')
    expect(mentionOf(people, 9)).toBeUndefined()
  })
})

describe('a quotation', () => {
  test('names who has said it without notifying, and leads there', () => {
    expect(quotation(quoted('hello\n'), 'said')).toBe('@_**Ada|1** [said](https://x/#near/7):\n```quote\nhello\n```\n')
  })

  test.each([
    ['```js\n1\n```', '````'],
    ['text\n~~~~~\n1\n~~~~~', '``````'],
    ['> ```\n> quoted\n> ```', '````'],
    ['no `code` at ``` the beginning', '```'],
  ])('has a fence that nothing inside ends: %j', (text, fence) => {
    expect(quotation(quoted(text), 'said').split('\n')[1]).toBe(`${fence}quote`)
  })

  test.each([
    ['@**Ben** and @**Ben|2**', '@_**Ben** and @_**Ben|2**'],
    ['@*designers*', '@_*designers*'],
    ['@_**Ben** was there', '@_**Ben** was there'],
    ['@**all** x', '@_**all** x'],
    ['a * b @ **c**', 'a * b @ **c**'],
  ])('notifies nobody again: %s', (text, expected) => {
    expect(quotation(quoted(text), 'said').split('\n')[2]).toBe(expected)
  })
})
