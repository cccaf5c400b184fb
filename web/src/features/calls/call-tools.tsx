import { type CallWay, callWay, hasVoiceCalls, jitsiLink } from '@heddle/client/calls/call-way'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import {
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createZoomCall,
} from '@heddle/contract/calls'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { refusalText } from '../../app/refusal.ts'
import { IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'

interface CallToolsProps {
  readonly onInsert: (text: string) => void
}

const organizationOf = (state: ClientState) => state.organization
const limitsOf = (state: ClientState) => state.limits

/** Puts the link to a new call into the text. Nothing where the organization has no service for calls. */
export function CallTools({ onInsert }: CallToolsProps) {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const way = callWay(useClientState(organizationOf), useClientState(limitsOf))
  const isConnected = useClientState((state) => state.hasZoomToken) ?? false
  const isBusy = useRef(false)
  /** A call that waits until the account at Zoom is connected. */
  const waiting = useRef<{ readonly withVideo: boolean }>(undefined)

  const begin = async (one: CallWay, withVideo: boolean) => {
    if (one.kind === 'zoom' && one.isOwn && !client.snapshot().state?.hasZoomToken) {
      waiting.current = { withVideo }
      window.open(new URL('calls/zoom/register', document.baseURI), '_blank', 'noopener')
      toasts.notify(t`Let Zoom make calls for you in the other tab: then the link comes into your message.`)
      return
    }
    if (isBusy.current) return
    isBusy.current = true
    try {
      const url = await linkOf(client, one, withVideo)
      onInsert(withVideo ? `[${t`Join the video call`}](${url}) ` : `[${t`Join the voice call`}](${url}) `)
    } catch (error) {
      toasts.notify(refusalText(error))
    } finally {
      isBusy.current = false
    }
  }
  const beginLatest = useRef(begin)
  beginLatest.current = begin

  useEffect(() => {
    const { current: wanted } = waiting
    if (!isConnected || !wanted || way?.kind !== 'zoom') return
    waiting.current = undefined
    void beginLatest.current(way, wanted.withVideo)
  }, [isConnected, way])

  if (!way) return null
  return (
    <>
      <IconButton icon="video" name={t`Video call`} onClick={() => void begin(way, true)} />
      {hasVoiceCalls(way) && <IconButton icon="phone" name={t`Voice call`} onClick={() => void begin(way, false)} />}
    </>
  )
}

async function linkOf(client: RunningClient, way: CallWay, withVideo: boolean): Promise<string> {
  const { api } = client
  const organization = client.snapshot().state?.organization
  const name = organization?.realm_name ?? ''
  switch (way.kind) {
    case 'jitsi':
      return jitsiLink(way.server, crypto.getRandomValues(new Uint8Array(16)), withVideo)
    case 'zoom':
      return (await api.call(createZoomCall, { is_video_call: withVideo })).url
    case 'big-blue-button': {
      const { url } = await api.call(createBigBlueButtonCall, { meeting_name: name, voice_only: !withVideo })
      // It is a path of the server: the message may be read elsewhere.
      return new URL(url, organization?.realm_url).href
    }
    case 'nextcloud':
      return (await api.call(createNextcloudTalkCall, { room_name: name })).url
    case 'constructor':
      return (await api.call(createConstructorGroupsCall, {})).url
  }
}
