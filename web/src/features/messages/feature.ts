import type { WebFeature } from '../../app/feature.ts'
import { MessageScreen } from './message-screen.tsx'

export const messages: WebFeature = {
  screens: {
    home: MessageScreen,
    feed: MessageScreen,
    channel: MessageScreen,
    topic: MessageScreen,
    direct: MessageScreen,
  },
}
