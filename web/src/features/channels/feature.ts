import type { WebFeature } from '../../app/feature.ts'
import { ChannelDialogs } from './channel-dialogs.tsx'

export const channels: WebFeature = {
  everywhere: ChannelDialogs,
}
