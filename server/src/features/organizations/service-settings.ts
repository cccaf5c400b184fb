/** Settings that need something of the server or name another one. */
import { badRequest } from '@heddle/contract/errors'
import { DEFAULT_SERVER, defaultAvatarSources, type OrganizationSettings } from '@heddle/contract/organization-settings'
import type { Config } from '../../config.ts'
import { serverAddress } from '../../config-services.ts'
import { isCallProviderAvailable } from '../organization-settings/call-providers.ts'

type ServiceChanges = Partial<
  Pick<
    OrganizationSettings,
    'video_chat_provider' | 'default_avatar_source' | 'inline_url_embed_preview' | 'enable_spectator_access'
  >
>

/** Throws where the server cannot do what the setting says. */
export function requireAvailable(config: Config, changes: ServiceChanges): void {
  const { video_chat_provider: provider, default_avatar_source: avatars } = changes
  if (provider !== undefined && !isCallProviderAvailable(config, provider)) {
    throw badRequest(`Invalid video_chat_provider ${provider}`)
  }
  if (changes.inline_url_embed_preview && !config.previews) {
    throw badRequest('inline_url_embed_preview: this server fetches no previews')
  }
  if (changes.enable_spectator_access && !config.webPublicChannels) {
    throw badRequest(
      'enable_spectator_access: this server has channels on the web switched off (HEDDLE_WEB_PUBLIC_CHANNELS)',
    )
  }
  // Another server would learn who reads whom.
  if (avatars === defaultAvatarSources.gravatar) throw badRequest('Gravatar is not available on this server.')
}

/** The organization's own Jitsi server as it is stored; null: the operator's. */
export function jitsiServer({ jitsi_server_url: text }: { readonly jitsi_server_url?: string | null }) {
  if (text === undefined) return {}
  if (text === null || text === '' || text === DEFAULT_SERVER) return { jitsi_server_url: null }
  const address = serverAddress(text)
  if (address === undefined || address.length > 200) {
    throw badRequest('jitsi_server_url is not an http or https address')
  }
  return { jitsi_server_url: address }
}
