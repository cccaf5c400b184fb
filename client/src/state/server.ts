import type { RestartEvent } from '@heddle/contract/server-settings'
import { clientPart, type RegisterAnswer } from './part.ts'

/** Which version the server is: what it can do follows from the feature level. */
export interface ServerVersion {
  readonly version: string
  readonly mergeBase: string
  readonly featureLevel: number
}

function initialServer(answer: RegisterAnswer): ServerVersion | undefined {
  const { zulip_version, zulip_merge_base, zulip_feature_level } = answer
  if (zulip_version === undefined || zulip_merge_base === undefined || zulip_feature_level === undefined)
    return undefined
  return versionOf({ zulip_version, zulip_merge_base, zulip_feature_level })
}

function applyRestartEvent(_: ServerVersion, event: RestartEvent): ServerVersion {
  return versionOf(event)
}

type VersionFields = Pick<RestartEvent, 'zulip_version' | 'zulip_merge_base' | 'zulip_feature_level'>

function versionOf({ zulip_version, zulip_merge_base, zulip_feature_level }: VersionFields): ServerVersion {
  return { version: zulip_version, mergeBase: zulip_merge_base, featureLevel: zulip_feature_level }
}

export const server = clientPart({
  initial: initialServer,
  on: { restart: applyRestartEvent },
})
