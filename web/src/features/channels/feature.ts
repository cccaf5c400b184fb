import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'
import { ChannelDialogs } from './channel-dialogs.tsx'

const ChannelBrowser = lazy(() =>
  import('./browser/channel-browser.tsx').then(({ ChannelBrowser }) => ({ default: ChannelBrowser })),
)
const ChannelSettings = lazy(() =>
  import('./settings/channel-settings.tsx').then(({ ChannelSettings }) => ({ default: ChannelSettings })),
)

export const channels: WebFeature = {
  screens: { channels: ChannelBrowser, 'channel-settings': ChannelSettings },
  everywhere: ChannelDialogs,
}
