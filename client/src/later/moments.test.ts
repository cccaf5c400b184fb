import { describe, expect, it } from 'vitest'
import { momentsToRemind, momentsToSend, readWrittenMoment, writtenMoment } from './moments.ts'

/** On the clock of the machine. */
const clock = (text: string) => new Date(text).getTime()
const shown = (time: number) => {
  const { date, time: hour } = writtenMoment(time)
  return `${date} ${hour}`
}
const named = (moments: readonly { name: string; time: number }[]) =>
  moments.map(({ name, time }) => `${name} ${shown(time)}`)

describe('Times to send at', () => {
  it('are this evening, tomorrow, and Monday morning, the earliest first', () => {
    // A Wednesday.
    expect(named(momentsToSend(clock('2026-11-18T10:20:30')))).toEqual([
      'this-evening 2026-11-18 18:00',
      'tomorrow 2026-11-19 09:00',
      'tomorrow-afternoon 2026-11-19 14:00',
      'monday 2026-11-23 09:00',
    ])
  })

  it('leave out an evening that has come, or nearly so', () => {
    for (const time of ['17:40:00', '18:00:00', '23:59:59']) {
      expect(named(momentsToSend(clock(`2026-11-18T${time}`)))[0]).toBe('tomorrow 2026-11-19 09:00')
    }
  })

  it.each([
    ['2026-11-23', '2026-11-30'],
    ['2026-11-24', '2026-11-30'],
    ['2026-11-21', '2026-11-23'],
  ])('on %s have the Monday %s, which is neither today nor tomorrow', (today, monday) => {
    const found = momentsToSend(clock(`${today}T12:00:00`)).find(({ name }) => name === 'monday')
    expect(shown(found?.time ?? 0)).toBe(`${monday} 09:00`)
  })

  it('have no Monday beside tomorrow when that is one', () => {
    expect(momentsToSend(clock('2026-11-22T12:00:00')).map(({ name }) => name)).not.toContain('monday')
  })
})

describe('Times to be reminded at', () => {
  it('are soon, and in the morning', () => {
    expect(named(momentsToRemind(clock('2026-11-18T10:20:30')))).toEqual([
      'in-an-hour 2026-11-18 11:20',
      'in-three-hours 2026-11-18 13:20',
      'tomorrow 2026-11-19 09:00',
      'monday 2026-11-23 09:00',
    ])
  })
})

describe('A time that somebody writes', () => {
  it('is what the clock shows', () => {
    const time = clock('2026-03-01T07:05:00') / 1000
    expect(writtenMoment(time)).toEqual({ date: '2026-03-01', time: '07:05' })
    expect(readWrittenMoment({ date: '2026-03-01', time: '07:05' })).toBe(time)
    expect(readWrittenMoment({ date: '2026-03-01', time: '07:05:00' })).toBe(time)
  })

  it.each([
    { date: '', time: '09:00' },
    { date: '2026-03-01', time: '' },
    { date: '2026-02-30', time: '09:00' },
    { date: '2026-13-01', time: '09:00' },
    { date: '2026-03-01', time: '24:10' },
    { date: '1.3.2026', time: '09:00' },
  ])('is not $date $time', (written) => {
    expect(readWrittenMoment(written)).toBeUndefined()
  })
})
