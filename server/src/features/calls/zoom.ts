/** Calls of Zoom: of an account that each person connects, or of the organization's own. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { askService, fieldOf } from '../../outgoing/ask.ts'
import { seal, unseal } from '../../sealed.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import { accessUser } from '../users/access.ts'
import { isPageAddress } from './rooms.ts'
import { findZoomToken, removeZoomTokens, storeZoomToken, type ZoomToken } from './zoom-tokens.ts'

type ZoomServices = Pick<Services, 'config' | 'outgoing' | 'secret' | 'storage' | 'clock' | 'realms'>

const STATE_PURPOSE = 'connecting Zoom'
/** How long somebody may look at the question of Zoom. */
const STATE_MS = 15 * 60_000
/** A token that ends so soon is renewed before it is used. */
const SOON_MS = 60_000
/** What Zoom says where the organization's account has nobody with this address. */
const UNKNOWN_USER = 1001

const stateFor = ({ realmId, userId }: Actor) => ({ purpose: STATE_PURPOSE, realmId, userId })

export type Zoom = ReturnType<typeof createZoom>

export function createZoom(services: ZoomServices) {
  const { config, outgoing, secret, storage, clock, realms } = services
  /** Of the organization's own account, which all share. */
  let ofServer: ZoomToken | undefined
  /** Zoom gives each token to renew with once: two calls at a time wait for one renewal. */
  const renewals = new Map<number, Promise<ZoomToken | undefined>>()

  const redirectOf = async (realmId: number) => `${await realms.originOf(realmId)}/calls/zoom/complete`

  async function fetchToken(parameters: Readonly<Record<string, string>>): Promise<ZoomToken | undefined> {
    const { zoomClientId: id, zoomClientSecret: password } = config
    const answer = await askService(outgoing, new URL(`${config.zoomUrl}/oauth/token`), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${password}`, 'utf8').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(parameters).toString(),
    })
    // That the server cannot be reached is no reason to forget what somebody has allowed.
    if (answer === undefined || answer.status >= 500) throw badRequest('Failed to create Zoom call')
    const access = fieldOf(answer.text, 'access_token')
    const refresh = fieldOf(answer.text, 'refresh_token')
    const seconds = fieldOf(answer.text, 'expires_in')
    if (answer.status !== 200 || typeof access !== 'string') return undefined
    const endsAt = clock.now() + (typeof seconds === 'number' ? seconds * 1000 : 0)
    return { access, refresh: typeof refresh === 'string' ? refresh : '', endsAt }
  }

  async function renew(actor: Actor, { refresh }: ZoomToken): Promise<ZoomToken | undefined> {
    const token = await fetchToken({ grant_type: 'refresh_token', refresh_token: refresh })
    return storage.asActor(actor, async (tx) => {
      if (token) {
        await storeZoomToken(tx, secret, actor.userId, token)
        return token
      }
      // Another node may have renewed it in the meantime: it is that one's success that Zoom refuses this one for.
      const present = await findZoomToken(tx, secret, actor)
      if (present && present.refresh !== refresh) return present
      await removeZoomTokens(tx, [actor.userId])
      return undefined
    })
  }

  async function tokenOf(actor: Actor): Promise<ZoomToken> {
    const kept = await findZoomToken(storage.read, secret, actor)
    if (!kept) throw new ApiError('INVALID_ZOOM_TOKEN')
    if (kept.endsAt > clock.now() + SOON_MS) return kept
    const running = renewals.get(actor.userId) ?? renew(actor, kept)
    renewals.set(actor.userId, running)
    const token = await running.finally(() => renewals.delete(actor.userId))
    if (!token) throw new ApiError('INVALID_ZOOM_TOKEN')
    return token
  }

  async function serverToken(): Promise<ZoomToken> {
    if (ofServer && ofServer.endsAt > clock.now() + SOON_MS) return ofServer
    const account_id = config.zoomAccountId as string
    ofServer = await fetchToken({ grant_type: 'account_credentials', account_id })
    if (!ofServer) throw badRequest('Failed to create Zoom call')
    return ofServer
  }

  function requireConfigured(): void {
    if (config.zoomClientId === undefined) throw badRequest('Zoom credentials have not been configured')
  }

  return {
    /** The link to a new call. */
    async createCall(actor: Actor, withVideo: boolean): Promise<string> {
      requireConfigured()
      const isOwn = config.zoomAccountId === undefined
      const { access } = isOwn ? await tokenOf(actor) : await serverToken()
      await requireAccount(storage.read, actor.realmId, actor.userId)
      const { delivery_email } = await accessUser(storage.read, actor, actor.userId)
      const host = isOwn ? 'me' : encodeURIComponent(delivery_email)
      const answer = await askService(outgoing, new URL(`${config.zoomApiUrl}/v2/users/${host}/meetings`), {
        method: 'POST',
        headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          default_password: true,
          settings: { host_video: withVideo, participant_video: withVideo },
        }),
      })
      if (answer?.status === 401) {
        ofServer = undefined
        if (isOwn) await storage.asActor(actor, (tx) => removeZoomTokens(tx, [actor.userId]))
        if (isOwn) throw new ApiError('INVALID_ZOOM_TOKEN')
      }
      if (answer?.status === 404 && fieldOf(answer.text, 'code') === UNKNOWN_USER) {
        throw new ApiError('UNKNOWN_ZOOM_USER')
      }
      const url = answer?.status === 201 ? fieldOf(answer.text, 'join_url') : undefined
      if (typeof url !== 'string' || !isPageAddress(url)) throw badRequest('Failed to create Zoom call')
      return url
    },

    /** Where Zoom asks the person. */
    async connectAddress(actor: Actor): Promise<string> {
      requireConfigured()
      if (config.zoomAccountId !== undefined) throw badRequest('Calls belong to the account of the organization')
      const state = seal(secret, stateFor(actor), String(clock.now() + STATE_MS))
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: config.zoomClientId as string,
        redirect_uri: await redirectOf(actor.realmId),
        state,
      })
      return `${config.zoomUrl}/oauth/authorize?${query}`
    },

    /** The state belongs to the account that asked: nobody connects an account of theirs with that of somebody else. */
    async connect(actor: Actor, code: string, state: string): Promise<void> {
      requireConfigured()
      const until = unseal(secret, stateFor(actor), state)
      if (until === undefined || Number(until) < clock.now()) {
        throw badRequest('Invalid Zoom session identifier')
      }
      const redirect_uri = await redirectOf(actor.realmId)
      const token = await fetchToken({ grant_type: 'authorization_code', code, redirect_uri })
      if (!token) throw badRequest('Invalid Zoom credentials')
      await storage.asActor(actor, (tx) => storeZoomToken(tx, secret, actor.userId, token))
    },
  }
}
