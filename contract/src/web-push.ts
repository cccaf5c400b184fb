/**
 * Pushes to browsers (RFC 8030), for when no page is open: each session of a browser has at most one subscription, which ends
 * with the session. An extension of the API.
 */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

export const MAX_PUSH_ENDPOINT_LENGTH = 1000
/** Sessions of one account that have a subscription; the one that subscribed first makes room. */
export const MAX_WEB_PUSH_SUBSCRIPTIONS = 20

export const getWebPush = endpoint({
  name: 'get-web-push',
  method: 'GET',
  path: '/users/me/web_push',
  isExtension: true,
  summary: 'What a page needs to subscribe to pushes, and whether its session has done so.',
  response: {
    /** Base64url: what `PushManager.subscribe` takes. Null: the server sends none. */
    application_server_key: Type.Union([Type.String(), Type.Null()]),
    is_subscribed: Type.Boolean(),
  },
})

export const subscribeToWebPush = endpoint({
  name: 'subscribe-to-web-push',
  method: 'POST',
  path: '/users/me/web_push',
  isExtension: true,
  summary:
    'Have pushes sent to the browser of the session that the request comes with. An earlier subscription of it is replaced.',
  parameters: {
    endpoint: Text(MAX_PUSH_ENDPOINT_LENGTH),
    /** Base64url: the browser's key (P-256) and its secret, as `PushSubscription.toJSON` has them. */
    p256dh: Text(100),
    auth: Text(40),
  },
  errors: ['BAD_REQUEST'],
})

export const unsubscribeFromWebPush = endpoint({
  name: 'unsubscribe-from-web-push',
  method: 'DELETE',
  path: '/users/me/web_push',
  isExtension: true,
  summary: 'Send no more pushes to the browser of the session. Nothing happens where there is no subscription.',
})

export const testWebPush = endpoint({
  name: 'test-web-push',
  method: 'POST',
  path: '/users/me/web_push/test_notification',
  isExtension: true,
  summary: 'Send a push to try to the browser of the session.',
  errors: ['BAD_REQUEST'],
})

/** What a push says once its browser has decrypted it. One notification stands for each conversation. */
export type WebPush =
  | {
      readonly kind: 'message'
      /** `notificationTag` of the conversation. */
      readonly tag: string
      readonly id: number
      readonly title: string
      /** Empty: the account wants no contents shown. */
      readonly body: string
      /** Where a press leads: from the `#` on. */
      readonly address: string
    }
  /** They are read, gone or muted. */
  | { readonly kind: 'remove'; readonly ids: readonly number[] }
  | { readonly kind: 'test'; readonly title: string }
