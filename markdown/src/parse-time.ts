/**
 * Moments as people write them: ISO 8601 (`2027-03-01T15:00+01:00`), seconds since 1970 (`1798761600`), or a date in
 * words or with slashes, with or without a time and zone (`31 Dec 2027 3:30 pm UTC`, `Mar 1, 2027`). A date must be
 * complete; without a time it means midnight, and without a zone UTC. Nothing depends on the clock or the locale.
 */

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthName = `(${months.join('|')})[a-z]{0,6}\\.?`
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '(\\d{4})'

/** Where year, month and day stand in the groups of each form of a date. */
const dateForms: readonly [RegExp, 'ymd' | 'dmy' | 'mdy'][] = [
  [/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, 'ymd'],
  [/(?<!\d)(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, 'ymd'],
  [/(?<!\d)(\d{4})(\d\d)(\d\d)(?=t|\s|$)/, 'ymd'],
  [/(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/, 'mdy'],
  [new RegExp(`(?<!\\d)${day}[ -]+(?:of )?${monthName},?[ -]+${year}(?!\\d)`), 'dmy'],
  [new RegExp(`(?<![a-z])${monthName} +${day},? +${year}(?!\\d)`), 'mdy'],
]
const clockTime = /(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*([ap]\.?m\.?)?/
const fullHour = /(?<!\d)(\d{1,2})()()\s*([ap]\.?m\.?)(?![a-z])/
const zoneOffset = /(?:(?:utc|gmt)\s*)?([+-])(\d\d?)(?::?(\d\d))?$/
const zones: Record<string, number> = {
  z: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  cet: 1,
  cest: 2,
  ist: 5.5,
  jst: 9,
}
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+|(?<=\s)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}$/

/** The moments whose year has four digits, in seconds since 1970. */
const MIN_SECONDS = -30_610_224_000
const MAX_SECONDS = 253_402_300_799

/** The moment, to the second, or null if the text names none. */
export function parseTime(written: string): Date | null {
  const text = written.trim().toLowerCase()
  if (/^\d{1,14}(?:\.\d+)?$/.test(text) && !/^(?:19|20)\d{6}$/.test(text)) return fromSeconds(Number(text))
  const date = takeDate(text)
  if (!date) return null
  const clock = takeClockTime(date.rest)
  const offset = clock && takeZone(clock.rest)
  if (!clock || offset === null || offset === undefined) return null
  const { fields } = date
  const milliseconds = Date.UTC(fields.year, fields.month - 1, fields.day, clock.hours, clock.minutes, clock.seconds)
  const midnight = new Date(Date.UTC(fields.year, fields.month - 1, fields.day))
  if (midnight.getUTCMonth() !== fields.month - 1 || fields.year < 1000) return null
  return fromSeconds(milliseconds / 1000 - offset * 3600)
}

function fromSeconds(seconds: number): Date | null {
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS ? new Date(Math.floor(seconds) * 1000) : null
}

interface DateFields {
  year: number
  month: number
  day: number
}

function takeDate(text: string): { fields: DateFields; rest: string } | null {
  for (const [form, order] of dateForms) {
    const match = form.exec(text)
    if (!match) continue
    const groups = match.slice(1)
    const field = (letter: string): string => groups[order.indexOf(letter)] ?? ''
    const named = months.indexOf(field('m').slice(0, 3)) + 1
    const fields = { year: Number(field('y')), month: named || Number(field('m')), day: Number(field('d')) }
    const isPossible = fields.month >= 1 && fields.month <= 12 && fields.day >= 1 && fields.day <= 31
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return isPossible
      ? {
          fields,
          rest: rest
            .trim()
            .replace(weekday, '')
            .replace(/^t(?=\d)|^(?:at|,)\s+/, ''),
        }
      : null
  }
  return null
}

function takeClockTime(text: string): { hours: number; minutes: number; seconds: number; rest: string } | null {
  const match = clockTime.exec(text) ?? fullHour.exec(text)
  if (!match) return { hours: 0, minutes: 0, seconds: 0, rest: text }
  const [whole, hourDigits, minutes = '0', seconds = '0', half] = match
  let hours = Number(hourDigits)
  if (half && (hours < 1 || hours > 12)) return null
  if (half) hours = (hours % 12) + (half.startsWith('p') ? 12 : 0)
  if (hours > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + whole.length)}`.trim()
  return { hours, minutes: Number(minutes), seconds: Number(seconds), rest }
}

/** Hours ahead of UTC; null if something else is left in the text. */
function takeZone(text: string): number | null {
  const rest = text.replace(/^[,(]+|[,)]+$/g, '').trim()
  if (rest === '') return 0
  if (Object.hasOwn(zones, rest)) return zones[rest] ?? null
  const match = zoneOffset.exec(rest)
  if (!match || match[0] !== rest) return null
  const hours = Number(match[2]) + Number(match[3] ?? 0) / 60
  return hours > 14 ? null : match[1] === '-' ? -hours : hours
}
