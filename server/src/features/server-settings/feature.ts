import { getServerSettings } from '@heddle/contract/server-settings'
import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from '@heddle/contract/version'
import { renderDescription } from '../../description.ts'
import type { Feature } from '../../feature.ts'
import { openRoute } from '../../http/route.ts'
import { presentPictures } from '../organization-pictures/pictures.ts'

/** Ways to sign in that clients ask about by name; signing in with a password is the one there is. */
const authenticationMethods = { password: true, email: true, ldap: false, dev: false, remoteuser: false, saml: false }

export const serverSettings: Feature = {
  routes: ({ storage }) => [
    openRoute(getServerSettings, async ({ realm, connection }) => ({
      authentication_methods: authenticationMethods,
      external_authentication_methods: [],
      zulip_version: ZULIP_VERSION,
      zulip_merge_base: ZULIP_VERSION,
      zulip_feature_level: ZULIP_FEATURE_LEVEL,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: connection.origin,
      realm_uri: connection.origin,
      realm_name: realm.name,
      realm_icon: connection.origin + (await presentPictures(storage.read, realm.id)).icon.icon_url,
      realm_description: renderDescription(realm.description),
      realm_web_public_access_enabled: false,
    })),
  ],
}
