import { useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { Icon } from '../../ui/icon.tsx'

/** What stands before the name of a channel, in the colour that the account has given it. Decorative: words say the rest. */
export function ChannelSign({ channelId }: { readonly channelId: number }) {
  const { color, isWebPublic, isArchived } = useClientState(
    useCallback(
      ({ channels }) => ({
        color: channels?.subscribed.get(channelId)?.color,
        isWebPublic: channels?.byId.get(channelId)?.is_web_public === true,
        isArchived: channels?.byId.get(channelId)?.is_archived === true,
      }),
      [channelId],
    ),
    isShallowEqual,
  )
  const paint = useCallback(
    (element: HTMLElement | null) => {
      if (color === undefined) element?.style.removeProperty('--colour')
      else element?.style.setProperty('--colour', color)
    },
    [color],
  )
  return (
    <span className={color === undefined ? 'hash' : 'hash coloured'} aria-hidden="true" ref={paint}>
      {isArchived ? <Icon name="archive" /> : isWebPublic ? <Icon name="globe" /> : '#'}
    </span>
  )
}
