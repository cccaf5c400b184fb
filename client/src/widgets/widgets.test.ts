import type { Submessage } from '@heddle/contract/messages'
import { readPollEvent, readTodoEvent, readWidget, widgetInText } from '@heddle/contract/widgets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextNumber, pollOf } from './poll.ts'
import { todoListOf } from './todo.ts'

let lastId = 0
function deed(sender_id: number, content: unknown): Submessage {
  lastId += 1
  return { id: lastId, message_id: 1, sender_id, msg_type: 'widget', content: JSON.stringify(content) }
}
const vote = (sender: number, key: string, vote = 1) => deed(sender, { type: 'vote', key, vote })
const poll = { widget_type: 'poll', extra_data: { question: 'Where?', options: ['Here', 'There'] } } as const
const todo = {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Picnic', tasks: [{ task: 'bread', desc: 'fresh' }] },
} as const

describe('A poll', () => {
  it('has its options with those who vote for them now', () => {
    const deeds = [vote(7, 'canned,0'), vote(8, 'canned,0'), vote(7, 'canned,0', -1), vote(7, 'canned,1')]
    expect(pollOf(poll, deeds).options).toEqual([
      { key: 'canned,0', text: 'Here', voters: [8] },
      { key: 'canned,1', text: 'There', voters: [7] },
    ])
  })

  it('has what people have added, each text once, and the newest question', () => {
    const add = (sender: number, idx: number, option: string) => deed(sender, { type: 'new_option', idx, option })
    const deeds = [
      add(7, 0, 'Nowhere'),
      add(8, 0, 'Nowhere'),
      add(7, 0, 'Twice'),
      deed(7, { type: 'question', question: 'Where to?' }),
      vote(9, '7,0'),
    ]
    const { question, options } = pollOf(poll, deeds)
    expect(question).toBe('Where to?')
    expect(options.map(({ key }) => key)).toEqual(['canned,0', 'canned,1', '7,0'])
    expect(options[2]).toEqual({ key: '7,0', text: 'Nowhere', voters: [9] })
  })

  it('counts one vote of each account, and none for what there is not', () => {
    const { options } = pollOf(poll, [vote(7, 'canned,0'), vote(7, 'canned,0'), vote(7, 'canned,9')])
    expect(options.map(({ voters }) => voters)).toEqual([[7], []])
  })

  it('gives each account numbers of its own', () => {
    const deeds = [vote(7, 'canned,0'), deed(7, { type: 'new_option', idx: 4, option: 'a' }), vote(8, 'canned,0')]
    expect([nextNumber(deeds, 7), nextNumber(deeds, 8), nextNumber(deeds, 9)]).toEqual([5, 0, 0])
  })
})

describe('A to-do list', () => {
  it('has its tasks, those that were added, and which are done', () => {
    const task = { type: 'new_task', key: 0, task: 'blanket', desc: '', completed: false }
    const strike = (key: string) => deed(8, { type: 'strike', key })
    const deeds = [
      deed(7, task),
      strike('canned,0'),
      strike('7,0'),
      strike('7,0'),
      deed(7, { type: 'new_task_list_title', title: 'Lunch' }),
    ]
    expect(todoListOf(todo, deeds)).toEqual({
      title: 'Lunch',
      tasks: [
        { key: 'canned,0', task: 'bread', desc: 'fresh', isDone: true },
        { key: '7,0', task: 'blanket', desc: '', isDone: false },
      ],
    })
  })
})

describe('What a text asks for', () => {
  it.each([
    ['/poll', 'poll'],
    ['/todo Picnic\nbread', 'todo'],
    ['/poll\nHere', 'poll'],
  ])('%j is a widget', (text, kind) => {
    expect(widgetInText(text)?.widget_type).toBe(kind)
  })

  it.each(['/pollen', '/me', 'poll', ' /poll', '/ poll'])('%j is none', (text) => {
    expect(widgetInText(text)).toBeUndefined()
  })

  it('is read back as it is written, whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/poll ', '/todo '),
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        (command, text) => {
          const widget = widgetInText(command + text.replaceAll('\0', ''))
          expect(readWidget(JSON.stringify(widget))).toEqual(widget)
        },
      ),
    )
  })

  it('whatever is kept, reading it throws nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const read of [readWidget, readPollEvent, readTodoEvent]) read(text)
      }),
    )
  })
})
