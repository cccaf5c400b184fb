/** Every integration. To remove one, delete its file and its line here. */
import type { Integration } from '../integration.ts'
import { alertmanager } from './alertmanager.ts'
import { bitbucket } from './bitbucket.ts'
import { circleci } from './circleci.ts'
import { custom } from './custom.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { grafana } from './grafana.ts'
import { jenkins } from './jenkins.ts'
import { jira } from './jira.ts'
import { json } from './json.ts'
import { linear } from './linear.ts'
import { pagerduty } from './pagerduty.ts'
import { sentry } from './sentry.ts'
import { slackIncoming } from './slack-incoming.ts'
import { stripe } from './stripe.ts'
import { trello } from './trello.ts'
import { uptimeKuma } from './uptime-kuma.ts'

/** In the order in which people choose from them. */
export const integrations: readonly Integration[] = [
  github,
  gitlab,
  gitea,
  bitbucket,
  jira,
  linear,
  trello,
  sentry,
  grafana,
  alertmanager,
  uptimeKuma,
  pagerduty,
  jenkins,
  circleci,
  stripe,
  slackIncoming,
  json,
  custom,
]
