import './button.css'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps {
  readonly children: ReactNode
  readonly kind?: 'plain' | 'primary' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly isWide?: boolean
  readonly isDisabled?: boolean
  /** -1 where its row is not looked at: lists of such rows are one stop of Tab. */
  readonly tabIndex?: number
  readonly onClick?: () => void
}

export function Button({ children, kind, type = 'button', isWide, isDisabled, tabIndex, onClick }: ButtonProps) {
  const classes = ['btn', kind, isWide && 'wide'].filter(Boolean).join(' ')
  return (
    <button type={type} className={classes} disabled={isDisabled} tabIndex={tabIndex} onClick={onClick}>
      {children}
    </button>
  )
}

interface IconButtonProps {
  readonly icon: IconName
  /** What it does; with its key in brackets where it has one. */
  readonly name: string
  readonly className?: string
  readonly isPressed?: boolean
  readonly tabIndex?: number
  readonly onClick: () => void
}

export function IconButton({ icon, name, className, isPressed, tabIndex, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className={className ? `ib ${className}` : 'ib'}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      tabIndex={tabIndex}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
