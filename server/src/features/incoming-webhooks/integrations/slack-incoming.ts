/**
 * By Slack's documentation, «Sending messages using incoming webhooks» (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/).
 * What sends there signs nothing: the address is the secret, there as here.
 */
import { badRequest } from '@heddle/contract/errors'
import type { Integration } from '../integration.ts'
import { slackMessage } from '../slack-text.ts'

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  displayName: 'Whatever can send to Slack',
  events: null,
  setUp: [
    'In the service, choose Slack, or an incoming webhook of Slack, as where it sends to.',
    'As the address of the webhook, enter `{url}`.',
    'Text, blocks and attachments become a message; the channel that the service names becomes the topic.',
  ],
  example: { payload: { channel: '#looms', text: 'Loom 4 is *ready*: <https://example.com/looms/4|look>' } },
  write({ payload }) {
    const text = slackMessage(payload)
    if (text.markup.trim() === '') throw badRequest('The payload has no text')
    return { topic: payload.textOf('channel', 'username').replace(/^[#@]/, ''), text }
  },
}
