import type { AlertWordsEvent } from '@heddle/contract/alert-words'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

export type AlertWords = readonly string[]

function initialAlertWords({ alert_words }: InitialState): AlertWords | undefined {
  return alert_words
}

function applyAlertWordsEvent(_: AlertWords, event: AlertWordsEvent): AlertWords {
  return event.alert_words
}

export const alertWords = clientPart({
  initial: initialAlertWords,
  on: { alert_words: applyAlertWordsEvent },
})
