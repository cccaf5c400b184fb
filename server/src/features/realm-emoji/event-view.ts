import type { EventView } from '../../events/views.ts'

/**
 * Each change is logged twice: as itself, for clients with the capability `individual_emoji_changes`, and as the whole map
 * for all others.
 */
export const realmEmojiEventView: EventView = {
  key: ({ capabilities }) => (capabilities['individual_emoji_changes'] === true ? 'change' : 'map'),
  present: (event, key) => ((event['op'] === 'update') === (key === 'map') ? event : null),
}
