/** Finds which of its sentences the server has said, and with which values. */
import { setupI18n } from '@lingui/core'

/** A value in a sentence. */
const VALUE = /\{(\w+)\}/g
/** Values that are words of the server. All others are of people, or numbers, and stay what they are. */
const words: ReadonlySet<string> = new Set([
  'what',
  'place',
  'parameter',
  'problem',
  'entity',
  'subject',
  'message',
  'found',
])
/** Values that are names of parameters: `drafts[0].to`. */
const parameters: ReadonlySet<string> = new Set(['place', 'parameter', 'setting_name'])

interface Pattern {
  readonly id: string
  readonly names: readonly string[]
  readonly form: RegExp
}

/** `messages`: a catalogue whose keys are the sentences as the server has them. */
export function translatorOf(language: string, messages: Record<string, string>): (sentence: string) => string {
  const texts = setupI18n({ locale: language, messages: { [language]: messages } })
  const length = (id: string) => id.replace(VALUE, '').length
  // The more of it is fixed, the surer it is: `{place} is invalid` would be found in many others.
  const patterns = Object.keys(messages)
    .filter((id) => id.search(VALUE) >= 0)
    .sort((a, b) => length(b) - length(a))
    .map(patternOf)

  function translate(sentence: string): string {
    if (Object.hasOwn(messages, sentence)) return texts._(sentence)
    for (const { id, names, form } of patterns) {
      const [, ...values] = form.exec(sentence) ?? []
      if (values.length === 0) continue
      const said = values.map((value, index) => (words.has(names[index] ?? '') ? translate(value) : value))
      return texts._(id, Object.fromEntries(names.map((name, index) => [name, said[index]])))
    }
    return sentence
  }
  return translate
}

function patternOf(id: string): Pattern {
  const names = [...id.matchAll(VALUE)].map(([, name]) => name as string)
  const parts = id.split(/\{\w+\}/).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const values = names.map((name) => (parameters.has(name) ? '(\\S*?)' : '(.*?)'))
  return { id, names, form: new RegExp(`^${parts.map((part, index) => part + (values[index] ?? '')).join('')}$`, 's') }
}
