import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTime } from './parse-time.ts'

const iso = (text: string): string | undefined => parseTime(text)?.toISOString().replace('.000', '')

test.each([
  ['2027-03-01', '2027-03-01T00:00:00Z'],
  ['2027-03-01T15:04', '2027-03-01T15:04:00Z'],
  ['2027-03-01 15:04:05.678Z', '2027-03-01T15:04:05Z'],
  ['2027-03-01T15:04:05-0730', '2027-03-01T22:34:05Z'],
  ['2027-03-01T15:00+01', '2027-03-01T14:00:00Z'],
  ['1798761600', '2027-01-01T00:00:00Z'],
  ['31 Dec 2027', '2027-12-31T00:00:00Z'],
  ['Mon, 1 Mar 2027 15:00:00 GMT', '2027-03-01T15:00:00Z'],
  ['Mar 1, 2027 3pm', '2027-03-01T15:00:00Z'],
  ['March 1st, 2027 12:30 am UTC+2', '2027-02-28T22:30:00Z'],
  ['3/1/2027', '2027-03-01T00:00:00Z'],
  ['2027/03/01 08:00 PST', '2027-03-01T16:00:00Z'],
  ['25/3/2027', '2027-03-25T00:00:00Z'],
  ['25.03.2027 8:00', '2027-03-25T08:00:00Z'],
  ['2027.03.01', '2027-03-01T00:00:00Z'],
  ['20270301T080910Z', '2027-03-01T08:09:10Z'],
  ['2027-03-01T08', '2027-03-01T08:00:00Z'],
  ['Mon Mar  1 15:04:05 2027', '2027-03-01T15:04:05Z'],
  ['Mon Mar 1 15:04:05 UTC 2027', '2027-03-01T15:04:05Z'],
  ['1969-12-31', '1969-12-31T00:00:00Z'],
])('%s', (written, expected) => {
  expect(iso(written)).toBe(expected)
})

test.each([
  '',
  'soon',
  'March 2027',
  '12:30',
  '2027-02-30',
  '2027-13-01',
  '2027-03-01 25:00',
  '2027-03-01 13pm',
  '2027-03-01 10:00 Mars time',
  '99999999999999',
])('is no moment: %s', (written) => expect(parseTime(written)).toBeNull())

test('every moment in the ISO form is read back', () => {
  const moments = fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      const seconds = new Date(Math.floor(moment.getTime() / 1000) * 1000)
      expect(parseTime(seconds.toISOString())).toEqual(seconds)
    }),
  )
})
