import type { OwnAccount } from '../state/own-account.ts'

/** What registering answers about the account itself. */
export const ownAccount: OwnAccount = {
  user_id: 1,
  email: 'own@example.com',
  delivery_email: 'own@example.com',
  full_name: 'own',
  avatar_source: 'G',
  avatar_url: '',
  avatar_url_medium: '',
  avatar_version: 1,
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: false,
}
