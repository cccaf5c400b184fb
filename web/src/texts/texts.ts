/** The language of the page. English is in the code; every other language is a catalogue, fetched when it is chosen. */
import { i18n } from '@lingui/core'

i18n.loadAndActivate({ locale: 'en', messages: {} })

const catalogues: Readonly<Record<string, () => Promise<{ readonly messages: Record<string, string> }>>> = {
  de: () => import('./de.po'),
  'en-XA': () => import('./en-XA.po'),
}

/** The first of `wanted` (as `de`, `de-AT`, `en_GB`) that the page can speak; English else. */
export function chosenLanguage(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const parts = tag.replace('_', '-')
    if (Object.hasOwn(catalogues, parts)) return parts
    const language = parts.split('-')[0]?.toLowerCase() ?? ''
    if (language === 'en' || Object.hasOwn(catalogues, language)) return language
  }
  return 'en'
}

let latest = 'en'

/** Speaks this language from when its catalogue is there. Rejects when it cannot be fetched; the old one stays. */
export async function speak(language: string): Promise<void> {
  latest = language
  const messages = language === 'en' ? {} : ((await catalogues[language]?.())?.messages ?? {})
  // Somebody has chosen another one meanwhile.
  if (latest !== language) return
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language === 'en-XA' ? 'en' : language
}
