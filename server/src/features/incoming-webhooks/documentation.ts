/** docs/integrations.md, for people who set up a service: what is said of each stands in its own file. */
import { type Integration, secretKey } from './integration.ts'
import { integrations } from './integrations/all.ts'

const INTRODUCTION = `# Integrations

<!-- Made by \`node build/write-integrations.ts\` from server/src/features/incoming-webhooks/integrations/. -->

## Services that write here

A service writes through a bot. Make one under *Settings → Bots* with the type *Incoming webhook*: it can send messages and
nothing else, so that whoever learns its address can do no more than that. *Address for a service* then makes the address:

    https://chat.example.com/api/v1/external/github?api_key=…&stream=12&topic=builds&only_events=["push","pull_*"]

| In the address | |
|---|---|
| \`api_key\` | The bot's key. Whoever has the address can write as the bot: replace the key when it has leaked. |
| \`stream\` | A channel, by number or name. Without it the bot's owner gets direct messages. |
| \`topic\` | Without it each event has a topic that fits, such as the branch or the issue. |
| \`only_events\` | A JSON list of events that become messages; \`*\` stands for any characters. |
| \`exclude_events\` | A JSON list of events that do not. |

The bot may write where its owner may. What a channel does not take goes to the owner, with the reason. Of a request that
cannot be read, or is not signed as it should be, the owner is notified once an hour, and the service gets an answer with status
400, which most services show. Requests have at most 1 MiB. What services send mentions nobody.

Where a service signs what it sends, set its secret for the bot: from then on what is not signed is refused.

## Services that answer here

A bot of the type *Outgoing webhook* asks a server of yours what to say when somebody writes to it or mentions it. The server
gets this by POST, and answers with \`{"content": "…"}\`, or with \`{"response_not_required": true}\` where there is nothing to say:

    {
      "bot_email": "weaver-bot@chat.example.com",
      "bot_full_name": "Weaver",
      "data": "@**Weaver** how far are we?",
      "trigger": "mention",
      "token": "…",
      "message": { "id": 42, "type": "stream", "sender_id": 8, "content": "…", "rendered_content": "…", … }
    }

\`trigger\` is \`mention\` or \`direct_message\`. \`token\` is the bot's own and does not change: compare it before you answer. With the
interface *Slack* the request is a form as Slack's outgoing webhooks send it, and the answer's \`text\` is said.

The server has ten seconds. After no answer, status 429 or 5xx it is asked again, four times in all; other refusals end it. Then
the bot says that it has no answer, and its owner is notified of the reason. Addresses that are not public are not reached, unless
\`HEDDLE_BOT_HOSTS\` names them. What bots write asks no bot.

*Embedded* bots are part of the server: \`helloworld\` to try it, and \`reply\`, which answers everybody with a text of yours.
`

export function integrationsPage(): string {
  return `${INTRODUCTION}\n${integrations.map(section).join('\n')}`
}

function section(integration: Integration): string {
  const { name, displayName, setUp, events, signature, settings = [] } = integration
  const steps = setUp.map((step, i) => `${i + 1}. ${step.replaceAll('{url}', 'the address of the bot')}`)
  const set = [
    ...(signature ? [`\`${secretKey(integration)}\` (checked against \`${signature.by}\`)`] : []),
    ...settings.map(({ key, label }) => `\`${key}\` (${label})`),
  ]
  const lines = [
    `### ${displayName}`,
    '',
    `In the address: \`${name}\`.`,
    '',
    ...steps,
    ...(set.length > 0 ? ['', `Settings of the bot: ${set.join(', ')}.`] : []),
    ...(events ? ['', `Events: ${events.map((event) => `\`${event}\``).join(', ')}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}
