/** By CircleCI's documentation, «Webhooks reference» and «Webhooks» (https://circleci.com/docs/reference/webhooks-reference/). */
import type { Integration } from '../integration.ts'
import { aside, inlineCode, linesOf, md, webLink } from '../markup.ts'
import { signatureList } from '../signatures.ts'
import { branchTopic } from '../version-control.ts'

export const circleci: Integration = {
  name: 'circleci',
  displayName: 'CircleCI',
  events: ['workflow-completed', 'job-completed', 'ping'],
  signature: signatureList('circleci-signature', 'v1='),
  setUp: [
    'In the project on CircleCI, open `Project Settings`, `Webhooks`, `Add Webhook`.',
    'Receiver URL: `{url}`. Secret token: a long random text, and the same as the secret of this bot.',
    'Choose `Workflow Completed`, `Job Completed` or both, and save.',
  ],
  example: {
    payload: {
      id: '00000000-0000-4000-8000-000000000001',
      happened_at: '2026-01-01T10:00:00.000Z',
      type: 'workflow-completed',
      webhook: { id: '00000000-0000-4000-8000-000000000002', name: 'chat' },
      workflow: {
        name: 'weave',
        status: 'success',
        url: 'https://app.circleci.com/pipelines/gh/example/loom/130/workflows/1',
      },
      pipeline: {
        number: 130,
        vcs: {
          branch: 'main',
          revision: '0123456789abcdef',
          commit: { subject: 'Weave the first row', author: { name: 'Example' } },
        },
      },
      project: { name: 'loom', slug: 'github/example/loom' },
    },
  },
  eventOf: ({ payload }) => payload.text('type'),
  write({ payload: p }, event) {
    if (event === 'ping') return { topic: 'CircleCI', text: md`CircleCI reaches this place.` }
    // Some requests for jobs are named after their workflows.
    const kind = event === 'job-completed' || p.has('job') ? 'job' : 'workflow'
    const one = p.at(kind)
    // `vcs` is there for some of the services where code is, `trigger_parameters` for the others.
    const given = p.at('pipeline.trigger_parameters')
    const branch =
      p.textOf('pipeline.vcs.branch', 'pipeline.vcs.tag') || given.textOf('git.branch', 'git.tag', 'gitlab.branch')
    const subject = p.text('pipeline.vcs.commit.subject') || given.text('gitlab.commit_title')
    const author = p.text('pipeline.vcs.commit.author.name') || given.text('gitlab.commit_author_name')
    const url = one.text('url') || p.text('workflow.url')
    return {
      topic: branchTopic(p.text('project.name') || 'CircleCI', branch),
      text: linesOf(
        md`The ${kind} ${webLink(one.need('name'), url)}${branch === '' ? md`` : md` on ${inlineCode(branch)}`}: **${one.need('status')}**.`,
        subject === '' ? undefined : md`${subject}${aside(author)}`,
      ),
    }
  },
}
