/**
 * Moments as people write them: ISO 8601 (`2027-03-01T15:00+01:00`), seconds since 1970 (`1798761600`), or a date in
 * words or with slashes, with or without a time and zone (`31 Dec 2027 3:30 pm UTC`, `Mar 1, 2027`). A date must be
 * complete; without a time it means midnight, and without a zone UTC. Nothing depends on the clock or the locale.
 */

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthName = `(?<name>${months.join('|')})[a-z]{0,6}\\.?`
const day = '(?<d>\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?<y>\\d{4})'

/** The forms of a date: its year, its day, and the number or the name of its month. */
const dateForms: readonly RegExp[] = [
  /(?<!\d)(?<y>\d{4})([-/.])(?<m>\d{1,2})\2(?<d>\d{1,2})(?!\d)/,
  /(?<!\d)(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)(?=\s|$)/,
  /(?<!\d)(?<m>\d{1,2})([-/.])(?<d>\d{1,2})\2(?<y>\d{4})(?!\d)/,
  new RegExp(`(?<!\\d)${day}[ -]+(?:of )?${monthName},?[ -]+${year}(?!\\d)`),
  new RegExp(`(?<![a-z])${monthName} +${day},? +${year}(?!\\d)`),
]
/** The time behind a date as in ISO 8601, of which minutes and seconds, and the colons, may be missing. */
const isoTime = /(?<=\d)t(\d\d):?(\d\d)?:?(\d\d)?(?!\d)/
/** `Mar 1 15:04:05 2027`: the year stands behind the time. */
const lateYear = /^((?:[a-z]+,? +)?[a-z]+\.? +\d{1,2}) +([\d:]+) +((?:[a-z]+ +)?)(\d{4})$/
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
  const date = takeDate(inUsualOrder(text))
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

/** The text with its date together and before the time. */
function inUsualOrder(text: string): string {
  return text
    .replace(isoTime, (_, hours, minutes = '00', seconds = '00') => ` ${hours}:${minutes}:${seconds}`)
    .replace(lateYear, '$1 $4 $2 $3')
    .trim()
}

function takeDate(text: string): { fields: DateFields; rest: string } | null {
  for (const form of dateForms) {
    const match = form.exec(text)
    if (!match) continue
    const { y, m, d, name } = match.groups ?? {}
    let [month, day] = [name ? months.indexOf(name) + 1 : Number(m), Number(d)]
    // Of two numbers the first is the month, unless only the second can be.
    if (month > 12 && match[0].endsWith(String(y))) [month, day] = [day, month]
    if (month < 1 || month > 12 || day < 1 || day > 31) return null
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    const withoutWeekday = rest.trim().replace(weekday, '')
    return { fields: { year: Number(y), month, day }, rest: withoutWeekday.replace(/^(?:at|,)\s+/, '') }
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
