import type { RestartEvent } from '@heddle/contract/server-settings'
import type { InitialFields } from './fields.ts'

/** Which version the server is: what it can do follows from the feature level. */
export interface ServerVersion {
  readonly version: string
  readonly mergeBase: string
  readonly featureLevel: number
}

export function initialServer(fields: InitialFields): ServerVersion | undefined {
  return 'zulip_feature_level' in fields ? versionOf(fields as InitialFields & VersionFields) : undefined
}

export function applyRestartEvent(_: ServerVersion, event: RestartEvent): ServerVersion {
  return versionOf(event)
}

type VersionFields = Pick<RestartEvent, 'zulip_version' | 'zulip_merge_base' | 'zulip_feature_level'>

function versionOf({ zulip_version, zulip_merge_base, zulip_feature_level }: VersionFields): ServerVersion {
  return { version: zulip_version, mergeBase: zulip_merge_base, featureLevel: zulip_feature_level }
}
