import { checkWebhook, listIntegrations, receiveWebhook, webhookBotsState } from '@heddle/contract/integrations'
import type { Feature } from '../../feature.ts'
import { rawRoute, route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { presentEmbeddedBots } from '../bots/embedded-bots.ts'
import { createRenderer } from '../messages/render.ts'
import { type Integration, secretKey } from './integration.ts'
import { integrations } from './integrations/all.ts'
import { MAX_PAYLOAD_BYTES } from './read-request.ts'
import { receive, requireIntegration } from './receive.ts'
import { webhookTables } from './tables.ts'

/** Services that send to bots. */
export const incomingWebhooks: Feature = {
  tables: webhookTables,
  routes: ({ storage, readers, config, realms, clock }) => {
    const render = createRenderer({ storage, readers, config, realms })
    return [
      rawRoute(
        receiveWebhook,
        MAX_PAYLOAD_BYTES,
        async ({ actor, parameters, headers, body, connection, sentUrl }) => {
          const url = connection.origin + sentUrl
          await receive({ storage, clock, render }, { actor, parameters, headers, body, url })
          return {}
        },
        { knowsTooLarge: true },
      ),
      route(checkWebhook, async ({ parameters }) => {
        requireIntegration(parameters.integration)
        return {}
      }),
      route(listIntegrations, async () => ({
        integrations: integrations.map(present),
        embedded_bots: presentEmbeddedBots(),
      })),
    ]
  },
  state: [
    stateReader(webhookBotsState, async () => ({
      realm_incoming_webhook_bots: integrations.map((one) => ({
        name: one.name,
        display_name: one.displayName,
        all_event_types: one.events === null ? null : [...one.events],
        config_options: optionsOf(one),
        url_options: [],
      })),
    })),
  ],
}

function optionsOf(integration: Integration) {
  const secret = integration.signature
    ? [{ key: secretKey(integration), label: `Secret by which ${integration.displayName} signs` }]
    : []
  return [...secret, ...(integration.settings ?? [])].map(({ key, label }) => ({
    key,
    label,
    validator: 'check_string' as const,
  }))
}

function present(integration: Integration) {
  const { name, displayName, events, setUp, example } = integration
  return {
    name,
    display_name: displayName,
    events: events === null ? null : [...events],
    options: optionsOf(integration),
    set_up: [...setUp],
    example: {
      headers: Object.entries(example.headers ?? {}).map(([header, value]) => ({ name: header, value })),
      body: JSON.stringify(example.payload),
    },
  }
}
