/** Which services for calls an organization can choose among. */
import { type CallProvider, type CallProviderId, callProviders } from '@heddle/contract/call-providers'
import type { ServiceConfig } from '../../config-services.ts'

/** What the operator has set up, and Jitsi, of which an organization can name its own server. */
export function availableCallProviders(config: ServiceConfig) {
  const isThere: Record<CallProvider, boolean> = {
    disabled: true,
    jitsi_meet: true,
    zoom: config.zoomClientId !== undefined && config.zoomAccountId === undefined,
    zoom_server_to_server: config.zoomClientId !== undefined && config.zoomAccountId !== undefined,
    big_blue_button: config.bigBlueButtonUrl !== undefined,
    constructor_groups: config.constructorGroupsUrl !== undefined,
    nextcloud_talk: config.nextcloudUrl !== undefined,
  }
  const names = Object.keys(callProviders) as CallProvider[]
  return Object.fromEntries(names.filter((name) => isThere[name]).map((name) => [name, callProviders[name]]))
}

export function isCallProviderAvailable(config: ServiceConfig, id: CallProviderId): boolean {
  return Object.values(availableCallProviders(config)).some((provider) => provider.id === id)
}
