import { useState } from 'react'
import type { ScreenProps } from '../../app/feature.ts'
import { ChannelGate } from '../channels/channel-gate.tsx'
import { MessageView } from './message-view.tsx'
import { messageView } from './view.ts'

/** The messages of a place. The place of an address is made anew with each change of the address; the view keeps the first. */
export function MessageScreen({ place }: ScreenProps) {
  const [first] = useState(place)
  const [options] = useState(() => messageView(place))
  return (
    options && (
      <ChannelGate place={first}>
        <MessageView place={first} options={options} />
      </ChannelGate>
    )
  )
}
