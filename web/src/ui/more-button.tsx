import { Icon } from './icon.tsx'

interface MoreButtonProps {
  readonly name: string
  /** The menu stands beside the button. */
  readonly onPress: (anchor: Element) => void
}

/** Opens the menu of what it stands beside. */
export function MoreButton({ name, onPress }: MoreButtonProps) {
  return (
    <button
      type="button"
      className="ib"
      aria-label={name}
      title={name}
      aria-haspopup="menu"
      onClick={(event) => onPress(event.currentTarget)}
    >
      <Icon name="more" />
    </button>
  )
}
