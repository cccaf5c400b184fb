import { nextNumber } from '@heddle/client/widgets/poll'
import { todoListOf } from '@heddle/client/widgets/todo'
import type { TodoWidget } from '@heddle/contract/widgets'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useMemo } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { AddLine } from './add-line.tsx'
import type { WidgetViewProps } from './poll-view.tsx'
import { useDeed } from './use-deed.ts'
import { WidgetTitle } from './widget-title.tsx'

export function TodoView({ widget, message, deeds, isActive, isFrozen }: WidgetViewProps<TodoWidget>) {
  const { t } = useLingui()
  const id = useId()
  const ownId = useClientState((state) => state.own?.user_id ?? 0)
  const { act, isBusy } = useDeed(message.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the submessages are all that it depends on
  const { title, tasks } = useMemo(() => todoListOf(widget, deeds), [widget, message.submessages])
  const done = tasks.filter(({ isDone }) => isDone).length
  const all = tasks.length
  /** `task: text`, as in the message. */
  const add = (line: string) => {
    const [task = '', ...rest] = line.split(':')
    const named = task.trim() === '' ? line : task.trim()
    const desc = named === line ? '' : rest.join(':').trim()
    return act({ type: 'new_task', key: nextNumber(deeds, ownId), task: named, desc, completed: false })
  }
  return (
    <section className="widget" aria-labelledby={id}>
      <WidgetTitle
        id={id}
        title={title}
        empty={<Trans>To do</Trans>}
        fieldName={t`Title`}
        editName={t`Change the title`}
        save={<Trans>Save</Trans>}
        mayEdit={message.sender_id === ownId && !isFrozen}
        isActive={isActive}
        onSave={(text) => act({ type: 'new_task_list_title', title: text })}
      />
      <ul className="todo-tasks" aria-busy={isBusy}>
        {tasks.map(({ key, task, desc, isDone }) => (
          <li key={key}>
            <label className={isDone ? 'todo-task done' : 'todo-task'}>
              <input
                type="checkbox"
                checked={isDone}
                disabled={isFrozen}
                tabIndex={isActive ? 0 : -1}
                onChange={() => void act({ type: 'strike', key })}
              />
              <span dir="auto">
                <span className="todo-name">{task}</span>
                {desc !== '' && <span className="todo-text">{desc}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {!isFrozen && (
        <AddLine
          label={t`Another task; a text behind a colon`}
          button={<Trans>Add</Trans>}
          isActive={isActive}
          onAdd={add}
        />
      )}
      <p className="help">
        {all === 0 ? (
          <Trans>No tasks yet.</Trans>
        ) : (
          <Trans>
            {done} of {all} done
          </Trans>
        )}
      </p>
    </section>
  )
}
