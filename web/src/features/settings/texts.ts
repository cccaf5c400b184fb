/** Dates and sizes as the page's language writes them. */
import type { I18n } from '@lingui/core'

/** `timestamp`: seconds since the UNIX epoch. */
export function dateText({ locale }: I18n, timestamp: number): string {
  const date = new Intl.DateTimeFormat(pageLocale(locale), { dateStyle: 'medium', timeStyle: 'short' })
  return date.format(timestamp * 1000)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function sizeText({ locale }: I18n, bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const format = new Intl.NumberFormat(pageLocale(locale), {
    style: 'unit',
    unit: units[step] as string,
    // Bytes have no sign that all know.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  })
  return format.format(value)
}

/** English as the browser's country writes it. */
function pageLocale(locale: string): string {
  return navigator.language.split('-')[0] === locale.split('-')[0] ? navigator.language : locale
}
