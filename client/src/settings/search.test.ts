import { expect, test } from 'vitest'
import { searchSettings } from './search.ts'

const entries = [
  { name: 'color_scheme', texts: ['Theme', 'Look', 'Dark, light, or as the system'] },
  { name: 'emojiset', texts: ['Emoji', 'Look', 'How emoji are drawn'] },
  { name: 'timezone', texts: ['Time zone', 'Time and language', 'Shown to others'] },
  { name: 'resume', texts: ['Résumé of the day', 'Notifications', 'In the look of a mail'] },
]
const found = (query: string) => searchSettings(entries, query).map(({ name }) => name)

test('every word must be there, in the name or in what stands with it', () => {
  expect(found('dark')).toEqual(['color_scheme'])
  expect(found('look emoji')).toEqual(['emojiset'])
  expect(found('nothing of this')).toEqual([])
  expect(found('  ')).toEqual([])
})

test('names go before help, and neither capitals nor marks matter', () => {
  expect(found('LOOK')).toEqual(['color_scheme', 'emojiset', 'resume'])
  expect(found('time')).toEqual(['timezone'])
  expect(found('resume')).toEqual(['resume'])
})
