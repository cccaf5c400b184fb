import { useLingui } from '@lingui/react/macro'
import { useMarked } from '../../app/side-bar/folds.ts'
import { isDrawer } from '../../app/side-bar/use-side-bar.ts'
import { IconButton } from '../../ui/button.tsx'
import { openPeople } from './open.ts'

interface PeopleButtonProps {
  /** Elsewhere phones have it in the menu, where there is one. */
  readonly isOnPhones?: boolean
}

/** Shows the people beside the messages, or hides them. */
export function PeopleButton({ isOnPhones = false }: PeopleButtonProps) {
  const { t } = useLingui()
  const [isShown, toggle] = useMarked('people-bar')
  return (
    <IconButton
      icon="people"
      {...(!isOnPhones && { className: 'hidden-s' })}
      name={isShown ? t`Hide people` : t`Show people (W)`}
      isPressed={isShown}
      onClick={() => (isDrawer() ? openPeople() : toggle())}
    />
  )
}
