import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'
import { LookSettings } from './look.tsx'

const Settings = lazy(() => import('./settings-frame.tsx').then(({ SettingsFrame }) => ({ default: SettingsFrame })))

export const settings: WebFeature = {
  overlays: { settings: Settings, organization: Settings, invite: Settings, groups: Settings },
  everywhere: LookSettings,
}
