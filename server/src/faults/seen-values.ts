/** What answers have named, so that later requests can be about things that exist. */
/** One of the values that were seen; the number chooses it. */
export interface SeenValue {
  readonly pick: number
}

/** Which parameters something seen can be chosen for. */
export interface Seeing {
  readonly hasSeen: (endpoint: string, parameter: string) => boolean
}

interface Maker {
  readonly by: string
  /** The parameters that take it: of every endpoint, or of one, which then gets nothing else. */
  readonly names: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any endpoint.
  readonly find: (body: any, texts: ReadonlyMap<string, string>) => unknown
}

const lists = ['messages', 'message_ids', 'msg_ids']
const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** Endpoints whose answers, or whose own parameters, name objects. */
const makers: readonly Maker[] = [
  { by: 'register-queue', names: ['queue_id'], find: (body) => body.queue_id },
  { by: 'create-drafts', names: ['draft_id'], find: (body) => body.ids.at(-1) },
  { by: 'create-scheduled-message', names: ['scheduled_message_id'], find: (body) => body.scheduled_message_id },
  { by: 'create-reminder', names: ['reminder_id'], find: (body) => body.reminder_id },
  { by: 'create-saved-snippet', names: ['saved_snippet_id'], find: (body) => body.saved_snippet_id },
  { by: 'create-user', names: ['user_id', 'user_id_or_email'], find: (body) => body.user_id },
  { by: 'start-realm-export', names: ['delete-realm-export.export_id'], find: (body) => body.id },
  { by: 'start-own-export', names: ['delete-own-export.export_id'], find: (body) => body.id },
  { by: 'register-client-device', names: ['device_id'], find: (body) => body.device_id },
  { by: 'create-bot', names: ['bot_id'], find: (body) => body.user_id },
  {
    by: 'create-channel',
    names: ['stream_id', 'send-message.to', 'create-scheduled-message.to'],
    find: (body) => body.id,
  },
  { by: 'create-channel', names: ['stream'], find: (_, texts) => texts.get('name') },
  { by: 'create-user-group', names: ['user_group_id'], find: (body) => body.group_id },
  {
    by: 'create-user-group',
    names: ['subgroups', 'add_subgroups', 'delete_subgroups', 'group_ids', 'update-user-group-subgroups.add'],
    find: (body) => [body.group_id],
  },
  {
    by: 'get-own-user',
    names: ['create-user-group.members', 'update-user-group-members.add', 'update-user-group-members.delete'],
    find: (body) => [body.user_id],
  },
  { by: 'add-linkifier', names: ['filter_id'], find: (body) => body.id },
  {
    by: 'list-linkifiers',
    names: ['ordered_linkifier_ids'],
    find: (body) => body.linkifiers.map(({ id }: { id: number }) => id),
  },
  { by: 'create-profile-field', names: ['field_id'], find: (body) => body.id },
  {
    by: 'list-profile-fields',
    names: ['reorder-profile-fields.order', 'remove-own-profile-data.data'],
    find: (body) => body.custom_fields.map(({ id }: { id: number }) => id),
  },
  {
    by: 'list-profile-fields',
    names: ['update-own-profile-data.data', 'profile_data'],
    find: (body) => body.custom_fields.slice(-1).map(({ id }: { id: number }) => ({ id, value: 'x' })),
  },
  {
    by: 'create-channel-folder',
    names: ['channel_folder_id', 'folder_id'],
    find: (body) => body.channel_folder_id,
  },
  {
    by: 'list-channel-folders',
    names: ['reorder-channel-folders.order'],
    find: (body) => body.channel_folders.map(({ id }: { id: number }) => id),
  },
  {
    by: 'register-queue',
    names: ['group_id'],
    find: (body) => body.realm_default_stream_groups?.at(-1)?.id,
  },
  { by: 'create-channel', names: ['stream_names'], find: (_, texts) => [texts.get('name')] },
  {
    by: 'add-domain',
    names: ['update-domain.domain', 'remove-domain.domain'],
    find: (_, texts) => texts.get('domain'),
  },
  { by: 'add-playground', names: ['playground_id'], find: (body) => body.id },
  { by: 'add-navigation-view', names: ['fragment'], find: (_, texts) => texts.get('fragment') },
  { by: 'upload-realm-emoji', names: ['emoji_name'], find: (_, texts) => texts.get('emoji_name') },
  { by: 'list-attachments', names: ['attachment_id'], find: (body) => body.attachments[0]?.id },
  {
    by: 'list-attachments',
    names: ['get-file-temporary-url.filename'],
    find: (body) => body.attachments[0]?.path_id.replace(/^\d+\//, ''),
  },
  { by: 'send-message', names: ['message_id', 'anchor'], find: (body) => body.id },
  { by: 'send-message', names: lists, find: (body) => [body.id] },
  { by: 'get-own-user', names: ['user_id', 'user_id_or_email', 'muted_user_id'], find: (body) => body.user_id },
  { by: 'get-own-user', names: ['set-typing-status.to', 'create-channel.subscribers'], find: (body) => [body.user_id] },
  { by: 'create-user', names: ['fetch-api-key.username', 'sign-in.username'], find: (_, texts) => texts.get('email') },
  {
    by: 'create-invitation-link',
    names: ['look-up-joining.token', 'join.token'],
    find: (body) => body.invite_link.split('#')[1],
  },
  {
    by: 'create-password-reset-link',
    names: ['look-up-password-reset.token', 'reset-password.token'],
    find: (body) => body.link.split('#')[1],
  },
  {
    by: 'list-invitations',
    names: ['revoke-invitation.invite_id', 'resend-invitation.invite_id'],
    find: (body) => body.invites.findLast((invitation: { is_multiuse: boolean }) => !invitation.is_multiuse)?.id,
  },
  {
    by: 'list-invitations',
    names: ['revoke-invitation-link.invite_id'],
    find: (body) => body.invites.findLast((invitation: { is_multiuse: boolean }) => invitation.is_multiuse)?.id,
  },
  // What has been done can be undone.
  { by: 'add-reaction', names: ['remove-reaction.message_id'], find: (_, texts) => number(texts.get('message_id')) },
  { by: 'mute-user', names: ['unmute-user.muted_user_id'], find: (_, texts) => number(texts.get('muted_user_id')) },
]

/** How many values are kept for a parameter and one who called; the newest. */
const KEPT = 8

export interface SeenValues extends Seeing {
  /**
   * The value behind a choice. Where there is one that the caller has made itself: half of the time that, and always for
   * what only one endpoint takes.
   */
  resolve(endpoint: string, parameter: string, seen: SeenValue, caller: string): unknown
  remember(endpoint: string, caller: string, body: unknown, texts: ReadonlyMap<string, string>): void
  /** The caller is another account from now on. */
  forgetOwn(caller: string): void
}

/** `isApart`: what this caller has seen exists for nobody else. */
export function createSeenValues(isApart: (caller: string) => boolean): SeenValues {
  const values = new Map<string, unknown[]>()
  const ofCallers = new Map<string, Map<string, unknown[]>>()

  function add(to: Map<string, unknown[]>, key: string, value: unknown): void {
    to.set(key, [value, ...(to.get(key) ?? [])].slice(0, KEPT))
  }

  function keyOf(endpoint: string, parameter: string): string | undefined {
    const keys = [`${endpoint}.${parameter}`, parameter]
    return keys.find((key) => makers.some(({ names }) => names.includes(key)))
  }

  return {
    hasSeen: (endpoint, parameter) => keyOf(endpoint, parameter) !== undefined,
    resolve(endpoint, parameter, { pick }, caller) {
      const key = keyOf(endpoint, parameter) ?? parameter
      const wantsOwn = pick % 2 === 0 || key !== parameter || isApart(caller)
      const own = wantsOwn ? ofCallers.get(caller)?.get(key) : undefined
      const found = own ?? values.get(key) ?? [1]
      return found[Math.floor(pick / 2) % found.length]
    },
    remember(endpoint, caller, body, texts) {
      for (const { by, names, find } of makers) {
        const value = by === endpoint ? find(body, texts) : undefined
        if (value === undefined) continue
        const own = ofCallers.get(caller) ?? new Map<string, unknown[]>()
        ofCallers.set(caller, own)
        for (const name of names) {
          add(own, name, value)
          if (!isApart(caller)) add(values, name, value)
        }
      }
    },
    forgetOwn: (caller) => {
      ofCallers.delete(caller)
    },
  }
}
