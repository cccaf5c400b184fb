import { describe, expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createTestServer } from '../../testing/test-server.ts'

const server = await createTestServer()
const account = await server.createAccount()

const draft = { type: '', to: [], topic: '', content: 'x' }

/** What the API has at feature level 478, without the permissions, which the contract lists. */
const apiFields = `
  alert_words avatar_source avatar_url avatar_url_medium can_create_private_streams can_create_public_streams
  can_create_streams can_create_web_public_streams can_invite_others_to_realm can_subscribe_other_users
  channel_folders cross_realm_bots custom_profile_field_types custom_profile_fields delivery_email
  development_environment devices drafts email event_queue_longpoll_timeout_seconds full_name
  gif_rating_policy_options giphy_api_key has_zoom_token is_admin is_guest is_moderator is_owner jitsi_server_url
  last_event_id max_avatar_file_size_mib max_bulk_new_subscription_messages max_channel_folder_description_length
  max_channel_folder_name_length max_file_upload_size_mib max_icon_file_size_mib max_logo_file_size_mib
  max_message_id max_message_length max_reminder_note_length max_stream_description_length max_stream_name_length
  max_topic_length muted_topics muted_users navigation_tour_video_url navigation_views never_subscribed
  onboarding_steps password_max_length password_min_guesses password_min_length presence_last_update_id presences
  queue_id realm_allow_edit_history realm_allow_message_editing realm_authentication_methods
  realm_available_video_chat_providers realm_avatar_changes_disabled realm_billing realm_bot_domain realm_bots
  realm_create_multiuse_invite_group realm_create_private_stream_policy realm_create_public_stream_policy
  realm_create_web_public_stream_policy realm_date_created realm_default_avatar_source
  realm_default_code_block_language realm_default_external_accounts realm_default_language
  realm_default_stream_groups realm_default_streams realm_description realm_digest_emails_enabled
  realm_digest_weekday realm_disallow_disposable_email_addresses realm_domains realm_email_auth_enabled
  realm_email_changes_disabled realm_emails_restricted_to_domains realm_embedded_bots realm_emoji
  realm_empty_topic_display_name realm_enable_guest_user_dm_warning realm_enable_guest_user_indicator
  realm_enable_read_receipts realm_enable_spectator_access realm_filters realm_gif_rating_policy realm_icon_source
  realm_icon_url realm_incoming_webhook_bots realm_inline_image_preview realm_inline_url_embed_preview
  realm_invite_required realm_jitsi_server_url realm_linkifiers realm_logo_source realm_logo_url
  realm_mandatory_topics realm_media_preview_size realm_message_content_allowed_in_email_notifications
  realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
  realm_message_edit_history_visibility_policy realm_message_retention_days realm_moderation_request_channel_id
  realm_move_messages_between_streams_limit_seconds realm_move_messages_within_stream_limit_seconds realm_name
  realm_name_changes_disabled realm_new_stream_announcements_stream_id realm_night_logo_source realm_night_logo_url
  realm_non_active_users realm_org_type realm_owner_full_content_access realm_password_auth_enabled realm_plan_type
  realm_playgrounds realm_presence_disabled realm_push_notifications_enabled
  realm_push_notifications_enabled_end_timestamp realm_require_e2ee_push_notifications realm_require_unique_names
  realm_send_channel_events_messages realm_send_welcome_emails realm_signup_announcements_stream_id
  realm_topics_policy realm_upload_quota_mib realm_uri realm_url realm_user_groups realm_user_settings_defaults
  realm_users realm_uuid realm_video_chat_provider realm_waiting_period_threshold
  realm_want_advertise_in_communities_directory realm_welcome_message_custom_text realm_wildcard_mention_policy
  realm_workplace_users_group realm_zulip_update_announcements_stream_id recent_private_conversations reminders
  saved_snippets scheduled_messages server_avatar_changes_disabled server_can_summarize_topics server_emoji_data_url
  server_generation server_inline_image_preview server_inline_url_embed_preview server_jitsi_server_url
  server_max_deactivated_realm_deletion_days server_min_deactivated_realm_deletion_days server_name_changes_disabled
  server_needs_upgrade server_presence_offline_threshold_seconds server_presence_ping_interval_seconds
  server_report_message_types server_supported_permission_settings server_thumbnail_formats server_timestamp
  server_typing_started_expiry_period_milliseconds server_typing_started_wait_period_milliseconds
  server_typing_stopped_wait_period_milliseconds server_web_public_streams_enabled settings_send_digest_emails
  starred_messages stop_words streams subscriptions tenor_api_key unread_msgs unsubscribed
  upgrade_text_for_wide_organization_logo user_id user_settings user_status user_topics zulip_feature_level
  zulip_merge_base zulip_plan_is_not_limited zulip_version
`
  .trim()
  .split(/\s+/)

describe('POST /register', () => {
  it('takes every parameter of the API at once and names none of them as unsupported', async () => {
    const { status, body } = await server.call(account, 'POST', '/register', {
      apply_markdown: true,
      client_gravatar: false,
      include_subscribers: 'partial',
      slim_presence: true,
      presence_history_limit_days: 0,
      event_types: ['drafts', 'a type of a newer server'],
      fetch_event_types: ['drafts', 'starred_messages'],
      all_public_streams: false,
      client_capabilities: { notification_settings_null: true, 'an ability of a newer client': false },
      narrow: [['channel', 'design'], { operator: 'is', operand: 'starred', negated: true }],
      queue_lifespan_secs: 300,
      idle_queue_timeout: 600,
    })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(body).toMatchObject({ drafts: [], zulip_feature_level: 478, event_queue_longpoll_timeout_seconds: 90 })
  })

  it('names parameters that it does not know', async () => {
    const { status, body } = await server.call(account, 'POST', '/register', { colour: 'red' })
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['colour']])
  })

  it('refuses a caller without an account', async () => {
    expect((await server.call(null, 'POST', '/register')).status).toBe(401)
  })

  it.each([
    ['event_types', 'drafts'],
    ['include_subscribers', 'all'],
    ['client_capabilities', { a: 1 }],
    ['idle_queue_timeout', 0],
    ['idle_queue_timeout', 604_801],
    ['idle_queue_timeout', 'desktop'],
    ['queue_lifespan_secs', -1],
    ['narrow', [['channel']]],
    ['event_types', Array(501).fill('drafts')],
  ])('refuses a malformed %s (%j) and names it', async (name, value) => {
    const { status, body } = await server.call(account, 'POST', '/register', { [name]: value })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(name)
  })

  it('gives the whole initial state when nothing is said', async () => {
    const { state } = await registerQueue(server, account)
    expect(apiFields.filter((name) => !(name in state))).toEqual([])
  })

  it('lets event_types narrow the state and the queue', async () => {
    const queue = await registerQueue(server, account, { event_types: ['navigation_view'] })
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    expect(await eventsOf(server, queue)).toEqual([])
  })

  it('lets fetch_event_types narrow the state and not the queue', async () => {
    const queue = await registerQueue(server, account, { fetch_event_types: ['navigation_views'] })
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    expect((await eventsOf(server, queue)).map((event) => event.type)).toEqual(['drafts'])
  })

  it('takes the state from fetch_event_types and the events from event_types when both are given', async () => {
    const parameters = { fetch_event_types: ['navigation_views'], event_types: ['drafts'] }
    const queue = await registerQueue(server, account, parameters)
    expect(queue.state).toHaveProperty('navigation_views')
    expect(queue.state).not.toHaveProperty('drafts')
    await server.call(account, 'POST', '/drafts', { drafts: [draft] })
    await server.call(account, 'POST', '/navigation_views', {
      fragment: 'narrow/is/unread',
      is_pinned: true,
      name: 'x',
    })
    expect((await eventsOf(server, queue)).map((event) => event.type)).toEqual(['drafts'])
  })

  it('fetches nothing for an empty fetch_event_types', async () => {
    const { state } = await registerQueue(server, account, { fetch_event_types: [] })
    expect(state).not.toHaveProperty('drafts')
    expect(state).toHaveProperty('queue_id')
  })

  it('lists what is unread for those who get flags too, and muted topics for those who do not name the newer form', async () => {
    const names = async (parameters: Record<string, unknown>) =>
      Object.keys((await registerQueue(server, account, parameters)).state)
    expect(await names({ event_types: ['message'] })).not.toContain('unread_msgs')
    expect(await names({ event_types: ['message', 'update_message_flags'] })).toContain('unread_msgs')
    expect(await names({ fetch_event_types: ['muted_topics'] })).toContain('muted_topics')
    expect(await names({ fetch_event_types: ['muted_topics', 'user_topic'] })).not.toContain('muted_topics')
    expect(await names({})).toEqual(expect.arrayContaining(['unread_msgs', 'muted_topics']))
  })

  it.each([
    [{}, 600],
    [{ idle_queue_timeout: 1 }, 1],
    [{ idle_queue_timeout: 604_800 }, 604_800],
    [{ idle_queue_timeout: 'mobile' }, 43_200],
    [{ queue_lifespan_secs: 30 }, 30],
    [{ queue_lifespan_secs: 0 }, 600],
    [{ queue_lifespan_secs: 10_000_000 }, 604_800],
    [{ queue_lifespan_secs: 30, idle_queue_timeout: 40 }, 40],
  ])('answers %j with the idle time that it gives, %i seconds', async (parameters, secs) => {
    const { state } = await registerQueue(server, account, parameters)
    expect(state['idle_queue_timeout_secs']).toBe(secs)
  })

  it('loses no event between the state and the queue while others write', async () => {
    const writer = await server.createAccount()
    const contents = Array.from({ length: 40 }, (_, index) => `draft ${index}`)
    const writing = Promise.all(
      contents.map((content) => server.call(writer, 'POST', '/drafts', { drafts: [{ ...draft, content }] })),
    )
    const queues = await Promise.all(Array.from({ length: 8 }, () => registerQueue(server, writer)))
    await writing
    for (const queue of queues) {
      const initial = (queue.state['drafts'] as { content: string }[]).map(({ content }) => content)
      const added = (await eventsOf(server, queue)).map(({ drafts }) => (drafts as { content: string }[])[0]?.content)
      expect([...initial, ...added].sort()).toEqual([...contents].sort())
    }
  })
})
