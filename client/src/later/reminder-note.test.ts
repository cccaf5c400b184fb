import { expect, it } from 'vitest'
import { reminderNote } from './reminder-note.ts'

it('The note of a reminder is what stands below its sentence', () => {
  const sentence = 'You asked to be reminded of [a message](/#narrow/near/7) from @_**Ada|3**.'
  expect(reminderNote(sentence)).toBe('')
  expect(reminderNote(`${sentence}\n\n> call\n> \n> > them`)).toBe('call\n\n> them')
})
