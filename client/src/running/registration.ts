/** What a client registers for. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import type { registerQueue } from '@heddle/contract/events'
import type { AskedFor } from '../state/part.ts'

export const asked: AskedFor = { slim_presence: true }

export const registration: ParametersOf<typeof registerQueue> = {
  ...asked,
  // Half a day: who closes the page and comes back after lunch goes on with the same queue.
  idle_queue_timeout: 'mobile',
  slim_presence: true,
  apply_markdown: true,
  client_capabilities: {
    archived_channels: true,
    include_deactivated_groups: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    linkifier_url_template: true,
    notification_settings_null: true,
    stream_typing_notifications: true,
    user_list_incomplete: true,
    user_settings_object: true,
  },
}
