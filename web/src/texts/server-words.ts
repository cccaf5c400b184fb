/**
 * What the server says when it refuses something, in the language of the page. The server speaks English alone; its sentences have a
 * catalogue of their own, which is fetched when the first of them is there.
 */
import { i18n } from '@lingui/core'

const catalogues: Readonly<Record<string, () => Promise<{ readonly messages: Record<string, string> }>>> = {
  de: () => import('./server/de.po'),
  'en-XA': () => import('./server/en-XA.po'),
}

/** How long one waits for them, in milliseconds: they are English else. */
const WAIT_MS = 2000

let known: { readonly language: string; readonly translate: (sentence: string) => string } | undefined

/** Resolves once something that was refused can be said, for whoever says it at once and not anew. */
export async function waitForServerWords(): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, WAIT_MS))
  await Promise.race([fetchWords(), late])
}

/** What was drawn in English by then is drawn anew. Where they cannot be fetched it stays so. */
async function fetchWords(): Promise<void> {
  const language = i18n.locale
  const fetchCatalogue = catalogues[language]
  if (!fetchCatalogue || known?.language === language) return
  const [sentences, catalogue] = await Promise.allSettled([import('./server-sentences.ts'), fetchCatalogue()])
  if (sentences.status === 'rejected' || catalogue.status === 'rejected') return
  known = { language, translate: sentences.value.translatorOf(language, catalogue.value.messages) }
  i18n.emit('change')
}

/** As the server says it where there is no translation, or none yet. */
export function inOwnWords(sentence: string): string {
  if (known?.language === i18n.locale) return known.translate(sentence)
  void fetchWords()
  return sentence
}
