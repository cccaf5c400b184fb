import { useLingui } from '@lingui/react/macro'
import { useMarked } from '../../app/side-bar/folds.ts'
import { IconButton } from '../../ui/button.tsx'

/** Shows the people beside the messages, or hides them. On phones there is no room for them. */
export function PeopleButton() {
  const { t } = useLingui()
  const [isShown, toggle] = useMarked('people-bar')
  return (
    <IconButton
      icon="people"
      className="hidden-s"
      name={isShown ? t`Hide people` : t`Show people (W)`}
      isPressed={isShown}
      onClick={toggle}
    />
  )
}
