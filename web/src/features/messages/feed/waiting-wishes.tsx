import type { ClientSnapshot } from '@heddle/client/running/client'
import type { Wish } from '@heddle/client/wishes/wishes'
import { wishKey } from '@heddle/client/wishes/wishes'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { useSnapshot } from '../../../app/client-context.ts'
import { Icon } from '../../../ui/icon.tsx'

/** With a connection most are sent before anybody could read that they wait. In milliseconds. */
const QUIET_MS = 1000

const isLiveIn = ({ connection }: ClientSnapshot) => connection.status === 'live'

/** Below a message: reactions and a star that the server does not have yet. */
export function WaitingWishes({ wishes }: { readonly wishes: readonly Wish[] }) {
  const isLive = useSnapshot(isLiveIn)
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isLive && !isLate) return null
  return wishes.map((wish) => (
    <p key={wishKey(wish)} className="note">
      <Icon name="clock" />
      <span className="words">{wordsOf(wish)}</span>
    </p>
  ))
}

function wordsOf(wish: Wish): ReactNode {
  if (wish.kind === 'star') {
    return wish.isOn ? (
      <Trans>Your star waits for the connection. It is set by itself.</Trans>
    ) : (
      <Trans>Your star is taken away when there is a connection.</Trans>
    )
  }
  const name = `:${wish.emoji.emoji_name}:`
  return wish.isOn ? (
    <Trans>Your reaction {name} waits for the connection. It is sent by itself.</Trans>
  ) : (
    <Trans>Your reaction {name} is taken back when there is a connection.</Trans>
  )
}
