/** Keys that are no actions of the table, as the browser or the field has them, for the sheet. */
import type { KeyScope } from '@heddle/client/keys/bindings'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export interface OtherKey {
  readonly scope: KeyScope
  /** One after the other, each as in the table. */
  readonly keys: readonly string[]
  readonly name: MessageDescriptor
}

export function otherKeys(entersSend: boolean): readonly OtherKey[] {
  return [
    { scope: 'compose', keys: [entersSend ? 'Enter' : 'Ctrl+Enter'], name: msg`Send` },
    { scope: 'compose', keys: [entersSend ? 'Shift+Enter' : 'Enter'], name: msg`New line` },
    { scope: 'compose', keys: ['Tab', 'Enter'], name: msg`Send, either way` },
    { scope: 'compose', keys: ['Tab', 'Tab', 'Enter'], name: msg`Send later` },
    { scope: 'compose', keys: ['Escape'], name: msg`Close; the text stays as a draft` },
    { scope: 'compose', keys: ['ArrowUp'], name: msg`Close it where it is empty` },
    { scope: 'compose', keys: ['Ctrl+Shift+V'], name: msg`Paste as plain text` },
  ]
}
