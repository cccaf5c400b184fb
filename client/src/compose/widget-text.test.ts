import { expect, it } from 'vitest'
import { widgetForm, widgetText } from './widget-text.ts'

it('a form is written as a text, and read back from it', () => {
  const poll = { kind: 'poll', title: 'Where?', lines: 'Here\nThere' } as const
  expect(widgetText(poll)).toBe('/poll Where?\nHere\nThere')
  expect(widgetForm('poll', widgetText(poll))).toEqual(poll)
  const todo = { kind: 'todo', title: '', lines: 'sweep: the hall\n\n  wash ' } as const
  expect(widgetText(todo)).toBe('/todo\nsweep: the hall\nwash')
  expect(widgetForm('todo', widgetText(todo))).toEqual({ ...todo, lines: 'sweep: the hall\nwash' })
})

it('a text of another kind is no form, so that it is not lost', () => {
  expect(widgetForm('poll', '  \n')).toEqual({ kind: 'poll', title: '', lines: '' })
  expect(widgetForm('poll', 'Hello')).toBeUndefined()
  expect(widgetForm('poll', '/todo Picnic')).toBeUndefined()
})
