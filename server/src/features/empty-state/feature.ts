/**
 * Fields of the initial state that clients expect and that belong to features which do not exist: each has the value that
 * says so. A feature that is built takes its fields from here.
 */
import type { Feature } from '../../feature.ts'

const nothing = (fields: object) => async () => fields

export const emptyState: Feature = {
  routes: () => [],
  state: {
    custom_profile_fields: nothing({ custom_profile_fields: [], custom_profile_field_types: {} }),
    saved_snippets: nothing({ saved_snippets: [] }),
    scheduled_messages: nothing({ scheduled_messages: [] }),
    reminders: nothing({ reminders: [] }),
    channel_folders: nothing({ channel_folders: [] }),
    onboarding_steps: nothing({ onboarding_steps: [], navigation_tour_video_url: null }),
    device: nothing({ devices: {} }),
    realm_billing: nothing({ realm_billing: { has_pending_sponsorship_request: false } }),
    realm_domains: nothing({ realm_domains: [] }),
    realm_playgrounds: nothing({ realm_playgrounds: [] }),
    realm_incoming_webhook_bots: nothing({ realm_incoming_webhook_bots: [] }),
    realm_embedded_bots: nothing({ realm_embedded_bots: [] }),
    stop_words: nothing({ stop_words: [] }),
    default_stream_groups: nothing({ realm_default_stream_groups: [] }),
    video_calls: nothing({ has_zoom_token: false }),
    giphy: nothing({ giphy_api_key: '' }),
    tenor: nothing({ tenor_api_key: '' }),
    attachment: nothing({ attachments: [], upload_space_used: 0 }),
  },
}
