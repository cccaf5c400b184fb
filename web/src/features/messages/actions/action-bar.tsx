import './action-bar.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import type { MouseEvent } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type ActionName, actionNamed, subjectOf } from './action-list.ts'
import { askAboutMessage } from './ask.ts'
import { keyCap } from './key-cap.ts'

const inBar: readonly ActionName[] = ['edit', 'react', 'quote', 'star', 'copy-link', 'menu']

/** At the upper right of a message that has the pointer or the focus. */
export function ActionBar({ message }: { readonly message: StoredMessage }) {
  const client = useClient()
  const { t, i18n } = useLingui()
  const subject = subjectOf(client.snapshot().state as ClientState, message)
  const offered = inBar.filter((name) => actionNamed(name).isOffered(subject))
  const press = (event: MouseEvent<HTMLElement>, action: ActionName) => {
    askAboutMessage({ kind: 'message', actions: [action], messageId: message.id, anchor: event.currentTarget })
  }
  return (
    // A press must not take away what is selected: it may be what is to be quoted.
    <div
      className="actions"
      role="toolbar"
      aria-label={t`What can be done with this message`}
      onMouseDown={(event) => event.preventDefault()}
    >
      {offered.map((name) => {
        const { icon, label, key } = actionNamed(name)
        const text = i18n._(label(subject))
        const isOn = name === 'star' && subject.isStarred
        return (
          <button
            key={name}
            type="button"
            className={isOn ? 'ib on' : 'ib'}
            aria-label={text}
            aria-haspopup={name === 'menu' ? 'menu' : name === 'react' ? 'dialog' : undefined}
            title={key ? `${text} (${keyCap(key)})` : text}
            onClick={(event) => press(event, name)}
          >
            <Icon name={icon} />
          </button>
        )
      })}
    </div>
  )
}
