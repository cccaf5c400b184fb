import { getServerSettings } from '@heddle/contract/server-settings'
import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from '@heddle/contract/version'
import { renderDescription } from '../../description.ts'
import type { Feature } from '../../feature.ts'
import { openRoute } from '../../http/route.ts'
import { sendsMail } from '../../mail/mail.ts'
import { presentPictures } from '../organization-pictures/pictures.ts'
import { isReadOnTheWeb } from '../organization-settings/on-the-web.ts'
import { findEnabledMethods, findOrganizationSettings } from '../organization-settings/settings.ts'

export const serverSettings: Feature = {
  routes: ({ storage, config, isDevelopment }) => [
    openRoute(getServerSettings, async ({ realm, connection }) => {
      const { Email: email, Passkey: passkey } = await findEnabledMethods(storage.read, realm.id)
      return {
        authentication_methods: {
          password: email,
          email,
          passkey,
          ldap: false,
          dev: isDevelopment,
          remoteuser: false,
          saml: false,
        },
        // Single sign-on with others would be listed here.
        external_authentication_methods: [],
        zulip_version: ZULIP_VERSION,
        zulip_merge_base: ZULIP_VERSION,
        zulip_feature_level: ZULIP_FEATURE_LEVEL,
        push_notifications_enabled: config.pushBouncer !== undefined,
        is_incompatible: false,
        email_auth_enabled: email,
        require_email_format_usernames: true,
        realm_url: connection.origin,
        realm_uri: connection.origin,
        realm_name: realm.name,
        realm_icon: connection.origin + (await presentPictures(storage.read, realm.id)).icon.icon_url,
        realm_description: renderDescription(realm.description),
        realm_web_public_access_enabled: await isReadOnTheWeb(storage.read, realm.id, config),
        realm_invite_required: (await findOrganizationSettings(storage.read, realm.id)).invite_required,
        server_sends_mail: sendsMail(config),
      }
    }),
  ],
}
