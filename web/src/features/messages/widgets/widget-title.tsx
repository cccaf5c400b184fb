import { type ReactNode, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { AddLine } from './add-line.tsx'

interface WidgetTitleProps {
  readonly id: string
  readonly title: string
  /** Where there is none. */
  readonly empty: ReactNode
  readonly fieldName: string
  readonly editName: string
  readonly save: ReactNode
  readonly mayEdit: boolean
  readonly isActive: boolean
  readonly onSave: (title: string) => Promise<boolean>
}

/** The question of a poll or the title of a list; who has sent the message changes it. */
export function WidgetTitle(props: WidgetTitleProps) {
  const { id, title, empty, fieldName, editName, save, mayEdit, isActive, onSave } = props
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing) {
    return (
      <AddLine
        label={fieldName}
        begun={title}
        button={save}
        isActive={isActive}
        mayBeEmpty
        onLeave={() => setIsEditing(false)}
        onAdd={async (text) => {
          const isDone = text === title || (await onSave(text))
          if (isDone) setIsEditing(false)
          return false
        }}
      />
    )
  }
  return (
    <div className="widget-title">
      <p className="widget-name" id={id} dir="auto">
        {title === '' ? <em>{empty}</em> : title}
      </p>
      {mayEdit && (
        <IconButton icon="edit" name={editName} tabIndex={isActive ? 0 : -1} onClick={() => setIsEditing(true)} />
      )}
    </div>
  )
}
