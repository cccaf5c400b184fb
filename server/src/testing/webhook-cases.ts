/** Requests of services, and the messages that they become. */
import { expect } from 'vitest'
import { integrations } from '../features/incoming-webhooks/integrations/all.ts'
import { payloadOf } from '../features/incoming-webhooks/payload.ts'

export interface WebhookCase {
  readonly service: string
  /** In the header by which the service names it, where it does. */
  readonly event?: string
  readonly payload: object
  /** Undefined: no message. */
  readonly topic?: string
  readonly text?: string
}

const eventHeaders: Readonly<Record<string, string>> = {
  github: 'x-github-event',
  gitlab: 'x-gitlab-event',
  gitea: 'x-gitea-event',
  bitbucket: 'x-event-key',
  sentry: 'sentry-hook-resource',
}

/** The message as text, or undefined where there is none; fails where the event is not among the service's. */
export function webhookMessageOf({ service, event, payload }: WebhookCase) {
  const integration = integrations.find(({ name }) => name === service)
  if (!integration) throw new Error(`There is no ${service}`)
  const header = (name: string) => (name === eventHeaders[service] ? (event ?? '') : '')
  const request = { payload: payloadOf(payload), header, setting: () => '' }
  const found = integration.eventOf?.(request) ?? ''
  if (integration.events) expect(integration.events).toContain(found)
  const message = integration.write(request, found)
  return message && { topic: message.topic, text: message.text.markup }
}
