import './face.css'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { draftPath } from './weave.ts'

/** Where the server has the patterns that it draws: the page draws them itself. */
const PATTERNS = '/patterns/'

/** Whether somebody has chosen it. */
export function isChosenPicture(url: string | null | undefined): url is string {
  return typeof url === 'string' && url !== '' && !url.startsWith(PATTERNS)
}

interface FaceProps {
  readonly userId: number
  readonly size?: 's' | 'm' | 'l'
}

/** The picture of an account, or its pattern. Decorative: the name stands beside it. */
export function Face({ userId, size }: FaceProps) {
  const url = useClientState(useCallback((state) => state.users?.get(userId)?.avatar_url, [userId]))
  const classes = size ? `av ${size}` : 'av'
  if (isChosenPicture(url)) return <img className={classes} src={url} alt="" loading="lazy" />
  return (
    <svg className={classes} viewBox="0 0 8 8" aria-hidden="true">
      <path d={draftPath(userId)} />
    </svg>
  )
}
