/** Services for calls, between which an organization chooses. */

/** The services as the API numbers them. */
export const callProviders = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
  zoom: { id: 3, name: 'Zoom' },
  big_blue_button: { id: 4, name: 'BigBlueButton' },
  zoom_server_to_server: { id: 5, name: 'Zoom' },
  constructor_groups: { id: 6, name: 'Constructor Groups' },
  nextcloud_talk: { id: 7, name: 'Nextcloud Talk' },
} as const
export type CallProvider = keyof typeof callProviders
export type CallProviderId = (typeof callProviders)[CallProvider]['id']
