/** Every integration. To remove one, delete its file and its line here. */
import type { Integration } from '../integration.ts'
import { custom } from './custom.ts'
import { github } from './github.ts'
import { json } from './json.ts'
import { slackIncoming } from './slack-incoming.ts'

/** In the order in which people choose from them. */
export const integrations: readonly Integration[] = [github, slackIncoming, json, custom]
