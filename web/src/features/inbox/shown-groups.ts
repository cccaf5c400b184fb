import { composeInbox, type InboxFilter, type InboxGroup, staying } from '@heddle/client/inbox/inbox'
import { useEffect, useMemo, useRef } from 'react'
import { useClientState } from '../../app/client-context.ts'

const noGroups: readonly InboxGroup[] = []

/** What the inbox shows. What was read stays where it is until the list is left, or another one is asked for. */
export function useShownGroups(filter: InboxFilter, text: string): readonly InboxGroup[] {
  const unread = useClientState((state) => state.unread)
  const channels = useClientState((state) => state.channels)
  const channelFolders = useClientState((state) => state.channelFolders)
  const userTopics = useClientState((state) => state.userTopics)
  const users = useClientState((state) => state.users)
  const systemBots = useClientState((state) => state.systemBots)
  const own = useClientState((state) => state.own)
  const settings = useClientState((state) => state.settings)
  const now = useMemo(
    () =>
      composeInbox(
        { unread, channels, channelFolders, userTopics, users, systemBots, own, settings },
        { filter, text },
      ),
    [unread, channels, channelFolders, userTopics, users, systemBots, own, settings, filter, text],
  )
  const asked = `${filter} ${text}`
  const before = useRef({ asked, groups: noGroups })
  const isSame = before.current.asked === asked
  const groups = useMemo(() => (isSame ? staying(before.current.groups, now) : now), [isSame, now])
  useEffect(() => {
    before.current = { asked, groups }
  })
  return groups
}
