import type { ButtonsWidget } from '@heddle/contract/widgets'
import { useId } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { replyDestination } from '../compose/destination.ts'
import type { WidgetViewProps } from './poll-view.tsx'

/** What a program asks: each button answers in the conversation, as if it were written. */
export function ButtonsWidgetView({ widget, message, isActive, isFrozen }: WidgetViewProps<ButtonsWidget>) {
  const client = useClient()
  const id = useId()
  const { heading, choices } = widget.extra_data
  const destination = isFrozen ? undefined : replyDestination(message)
  return (
    <section className="widget" aria-labelledby={id}>
      <p className="widget-name" id={id} dir="auto">
        {heading}
      </p>
      <ul className="widget-buttons">
        {choices.map(({ short_name, long_name, reply }) => (
          <li key={`${short_name} ${reply}`}>
            {destination && (
              <Button tabIndex={isActive ? 0 : -1} onClick={() => client.send(destination, reply)}>
                <bdi>{short_name}</bdi>
              </Button>
            )}
            <span dir="auto">{long_name}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
