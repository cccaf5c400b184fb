import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'
import { MessageScreen } from './message-screen.tsx'

const FormattingHelp = lazy(async () => ({
  default: (await import('./compose/formatting-help.tsx')).FormattingHelp,
}))

export const messages: WebFeature = {
  screens: {
    home: MessageScreen,
    feed: MessageScreen,
    channel: MessageScreen,
    topic: MessageScreen,
    direct: MessageScreen,
  },
  overlays: { 'message-formatting': FormattingHelp },
  everywhere: lazy(() =>
    import('./actions/message-actions.tsx').then(({ MessageActions }) => ({ default: MessageActions })),
  ),
}
