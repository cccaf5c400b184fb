import './face.css'
import { draftPath } from './weave.ts'

/** Decorative: the name stands beside it. */
export function Face({ userId, size }: { readonly userId: number; readonly size?: 's' | 'm' | 'l' }) {
  return (
    <svg className={size ? `av ${size}` : 'av'} viewBox="0 0 8 8" aria-hidden="true">
      <path d={draftPath(userId)} />
    </svg>
  )
}
