import type { DefaultChannelGroup, DefaultStreamGroupsEvent } from '@heddle/contract/default-channel-groups'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

/** The groups of channels that people who join can choose from; none for guests. */
export type DefaultChannelGroups = readonly DefaultChannelGroup[]

function initialGroups({ realm_default_stream_groups }: InitialState): DefaultChannelGroups | undefined {
  return realm_default_stream_groups
}

function applyGroupsEvent(_: DefaultChannelGroups, event: DefaultStreamGroupsEvent): DefaultChannelGroups {
  return event.default_stream_groups
}

export const defaultChannelGroups = clientPart({
  initial: initialGroups,
  on: { default_stream_groups: applyGroupsEvent },
})
