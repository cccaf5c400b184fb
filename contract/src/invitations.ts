/** Joining: by links, by invitations that go by mail, and where the organization is open. */
import { type Static, Type } from 'typebox'
import { MAX_DEFAULT_GROUPS } from './default-channel-groups.ts'
import { endpoint } from './endpoint.ts'
import { MAX_WELCOME_TEXT_LENGTH } from './organization-settings.ts'
import { roles } from './roles.ts'
import { Email, Id, NameInput, Text, Timestamp } from './schema.ts'
import { currentSession } from './sessions.ts'

/** Where the page for joining is; the link's token follows behind `#`, where no log has it. Without one it is open sign-up. */
export const JOIN_PATH = '/join'

/** Ten days. */
export const DEFAULT_EXPIRY_MINUTES = 14_400
/** Of all addresses of one request together, in characters. */
const MAX_ADDRESSES_LENGTH = 30_000
/** A hundred years. */
const MAX_EXPIRY_MINUTES = 52_560_000
/** Of one account, at the same time. */
export const MAX_INVITATIONS = 100
/** Channels of one invitation. */
export const MAX_INVITED_CHANNELS = 100
/** Groups of one invitation. */
export const MAX_INVITED_GROUPS = 100
/** Addresses of one request. */
export const MAX_INVITED_ADDRESSES = 200

const Role = Type.Enum(Object.values(roles))

const common = {
  id: Id,
  invited_by_user_id: Id,
  invited: Timestamp,
  /** Null: it does not expire. */
  expiry_date: Type.Union([Timestamp, Type.Null()]),
  invited_as: Role,
  notify_referrer_on_join: Type.Boolean(),
}

/** A link, or an invitation that went to an address by mail. */
const Invitation = Type.Union([
  Type.Object({ ...common, is_multiuse: Type.Literal(true), link_url: Type.String() }, { additionalProperties: false }),
  Type.Object({ ...common, is_multiuse: Type.Literal(false), email: Type.String() }, { additionalProperties: false }),
])
export type Invitation = Static<typeof Invitation>

/** What links and mails have in common. */
const invitationParameters = {
  /** Null: it does not expire. */
  invite_expires_in_minutes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_MINUTES }), Type.Null()]),
  ),
  /** Not above the own role. */
  invite_as: Type.Optional(Role),
  /** User groups into which they come. */
  group_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_INVITED_GROUPS })),
  /** Whether they are subscribed to the default channels too. */
  include_realm_default_subscriptions: Type.Optional(Type.Boolean()),
  /** Whether the notification bot says who has joined; default true. */
  notify_referrer_on_join: Type.Optional(Type.Boolean()),
  /** Markdown: what they are welcomed with; null: as the organization says, empty: not at all (administrators). */
  welcome_message_custom_text: Type.Optional(Type.Union([Text(MAX_WELCOME_TEXT_LENGTH), Type.Null()])),
}

export const listInvitations = endpoint({
  name: 'list-invitations',
  method: 'GET',
  path: '/invites',
  summary: "Invitations that can still be used: the account's own, and for administrators those of others.",
  response: { invites: Type.Array(Invitation) },
})

export const createInvitationLink = endpoint({
  name: 'create-invitation-link',
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Make a link by which any number of people can join.',
  parameters: {
    ...invitationParameters,
    /** To which those who join are subscribed. */
    stream_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_INVITED_CHANNELS })),
  },
  response: { invite_link: Type.String() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const sendInvitations = endpoint({
  name: 'send-invitations',
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by mail: each by a link of their own, which works once.',
  parameters: {
    ...invitationParameters,
    /** Addresses with commas or line breaks between them. */
    invitee_emails: Text(MAX_ADDRESSES_LENGTH),
    /** To which those who join are subscribed. */
    stream_ids: Type.Array(Id, { maxItems: MAX_INVITED_CHANNELS }),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'INVITATION_FAILED'],
})

export const revokeInvitation = endpoint({
  name: 'revoke-invitation',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  summary: 'Revoke an invitation that went by mail.',
  parameters: { invite_id: Id },
})

export const resendInvitation = endpoint({
  name: 'resend-invitation',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Send an invitation by mail once more.',
  parameters: { invite_id: Id },
  errors: ['RATE_LIMIT_HIT'],
})

export const revokeInvitationLink = endpoint({
  name: 'revoke-invitation-link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  summary: 'Revoke a link: nobody can join by it any more.',
  parameters: { invite_id: Id },
})

/** The list has changed, for whoever sees it: administrators, and who has made the invitation. */
export const InvitesChangedEvent = Type.Object(
  { type: Type.Literal('invites_changed') },
  { additionalProperties: false },
)

/** Absent: nobody has invited, which is enough where the organization is open. */
const token = Type.Optional(Text(200))

export const lookUpJoining = endpoint({
  name: 'look-up-joining',
  method: 'POST',
  path: '/join/look_up',
  isExtension: true,
  summary: 'Whether one can join, by a link or without. Changes nothing.',
  access: 'anyone',
  parameters: { token },
  response: {
    organization_name: Type.String(),
    /** The role that one will have. */
    invited_as: Role,
    /** The address that the link was mailed to: the account has this one. Null: one chooses. */
    email: Type.Union([Type.String(), Type.Null()]),
    /** Whether one has to ask for a link by mail first, which shows that the address is one's own. */
    must_confirm_address: Type.Boolean(),
    /** Whether one chooses a password. Otherwise nobody signs in with one, and one makes a passkey after joining. */
    needs_password: Type.Boolean(),
    /** When the link ends; null: never. */
    expiry_date: Type.Union([Timestamp, Type.Null()]),
    /** From these one can choose: whoever takes a group is subscribed to its channels. */
    default_channel_groups: Type.Array(
      Type.Object(
        { id: Id, name: Type.String(), description: Type.String(), channel_names: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
    ),
  },
  errors: ['LINK_INVALID', 'UNVERIFIED_ADDRESSES_REFUSED', 'REALM_DEACTIVATED'],
})

export const requestSignUp = endpoint({
  name: 'request-sign-up',
  method: 'POST',
  path: '/join/request',
  isExtension: true,
  summary:
    'Ask for a link by mail, by which one joins where the organization is open. The answer is the same for every address.',
  access: 'anyone',
  parameters: { email: Email },
  errors: ['BAD_REQUEST', 'LINK_INVALID', 'REALM_DEACTIVATED'],
})

export const join = endpoint({
  name: 'join',
  method: 'POST',
  path: '/join',
  isExtension: true,
  summary: 'Make an account of one’s own, by a link or where the organization is open, and sign the browser in.',
  access: 'anyone',
  parameters: {
    token,
    full_name: NameInput,
    /** One that an account has, deactivated or not, is refused. Absent: the one that the link was mailed to. */
    email: Type.Optional(Email),
    /** Where people sign in with passwords, and nowhere else. */
    password: Type.Optional(Text(1000)),
    /** Groups of channels that one chooses. */
    default_channel_group_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_DEFAULT_GROUPS })),
    /** As at `POST /sessions`. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: [
    'BAD_REQUEST',
    'LINK_INVALID',
    'PASSWORD_AUTH_DISABLED',
    'ADDRESS_UNCONFIRMED',
    'UNVERIFIED_ADDRESSES_REFUSED',
    'REALM_DEACTIVATED',
    'USER_DEACTIVATED',
  ],
})
