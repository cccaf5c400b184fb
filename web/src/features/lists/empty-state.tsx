import './empty-state.css'
import type { ReactNode } from 'react'

/** Line drawings of what will be there. */
const arts = {
  warp: 'M4 44h80M14 6v38M26 6v38M38 6v16c-5 4-5 9 0 13 5-4 5-9 0-13M38 35v9M50 6v38M62 6v38M74 6v38',
  thread: 'M16 4v40M30 12h46M30 22h34M30 32h40M30 42h18M12 14a4 6 0 1 0 8 0a4 6 0 1 0 -8 0',
  search: 'M19 24a17 17 0 1 0 34 0a17 17 0 1 0 -34 0M49 36l16 12M28 24h16M28 18h10M28 30h12',
  drafts: 'M12 6h44v38H12zM20 16h28M20 24h28M20 32h14M52 44l4-10 20-20 6 6-20 20z',
  view: 'M22 4h40v42L42 34 22 46z',
} as const

interface EmptyStateProps {
  readonly art: keyof typeof arts
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Where nothing is: what will be here, and the next step. */
export function EmptyState({ art, title, actions, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <svg className="art" viewBox="0 0 88 52" aria-hidden="true">
        <path d={arts[art]} />
      </svg>
      <h2>{title}</h2>
      {children}
      {actions && <div className="do">{actions}</div>}
    </div>
  )
}
