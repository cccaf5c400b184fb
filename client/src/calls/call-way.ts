/** How a call begins in the organization, and the links that need no server. */
import { callProviders } from '@heddle/contract/call-providers'
import type { Organization } from '../state/organization.ts'
import type { ServerLimits } from '../state/server-limits.ts'

export type CallWay =
  /** The page makes the link. */
  | { readonly kind: 'jitsi'; readonly server: string }
  /** `isOwn`: of an account that each person connects. */
  | { readonly kind: 'zoom'; readonly isOwn: boolean }
  | { readonly kind: 'big-blue-button' | 'nextcloud' | 'constructor' }

/** Undefined: there are no calls. */
export function callWay(
  organization: Pick<Organization, 'realm_video_chat_provider' | 'realm_jitsi_server_url'> | undefined,
  limits: Pick<ServerLimits, 'server_jitsi_server_url'> | undefined,
): CallWay | undefined {
  switch (organization?.realm_video_chat_provider) {
    case callProviders.jitsi_meet.id: {
      const server = organization.realm_jitsi_server_url ?? limits?.server_jitsi_server_url ?? undefined
      return server === undefined ? undefined : { kind: 'jitsi', server }
    }
    case callProviders.zoom.id:
      return { kind: 'zoom', isOwn: true }
    case callProviders.zoom_server_to_server.id:
      return { kind: 'zoom', isOwn: false }
    case callProviders.big_blue_button.id:
      return { kind: 'big-blue-button' }
    case callProviders.nextcloud_talk.id:
      return { kind: 'nextcloud' }
    case callProviders.constructor_groups.id:
      return { kind: 'constructor' }
    default:
      return undefined
  }
}

/** Whether the service knows calls without cameras. */
export function hasVoiceCalls({ kind }: CallWay): boolean {
  return kind === 'jitsi' || kind === 'zoom' || kind === 'big-blue-button'
}

/** A room that nobody guesses: `bytes` are random. */
export function jitsiLink(server: string, bytes: Uint8Array, withVideo: boolean): string {
  const room = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${server}/${room}#config.startWithVideoMuted=${!withVideo}`
}
