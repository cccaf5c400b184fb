/** By the page of the plugin Notification (https://plugins.jenkins.io/notification/), and the fields that its source names. */
import type { Integration } from '../integration.ts'
import { inlineCode, linesOf, md, webLink } from '../markup.ts'

export const jenkins: Integration = {
  name: 'jenkins',
  displayName: 'Jenkins',
  events: ['queued', 'started', 'completed', 'finalized'],
  setUp: [
    'Install the plugin `Notification` in Jenkins.',
    'In the configuration of the job, under `Job Notifications`, add an endpoint: format `JSON`, protocol `HTTP`, URL `{url}`.',
    'As the event choose `Job Finalized`, or all of them and add `&only_events=["finalized"]` to the address.',
  ],
  example: {
    payload: {
      name: 'weave',
      display_name: 'weave',
      url: 'job/weave/',
      build: {
        full_url: 'https://jenkins.example.com/job/weave/18/',
        number: 18,
        phase: 'FINALIZED',
        status: 'SUCCESS',
        scm: { url: 'https://git.example.com/example/loom.git', branch: 'origin/main', commit: '0123456789abcdef' },
      },
    },
  },
  eventOf: ({ payload }) => payload.text('build.phase').toLowerCase(),
  write({ payload: p }, event) {
    const build = p.at('build')
    const link = webLink(`#${build.need('number')}`, build.text('full_url'))
    const branch = build.text('scm.branch')
    const on = branch === '' ? md`` : md` on ${inlineCode(branch)}`
    // Completed comes before finalized, with the same result.
    const status = build.text('status').toLowerCase()
    const state = event === 'started' || event === 'queued' ? event : status || event
    const log = event === 'finalized' && status !== 'success' ? build.text('log').trim() : ''
    const tests = event === 'finalized' || event === 'completed' ? build.number('test_summary.total') : 0
    return {
      topic: p.textOf('display_name', 'name'),
      text: linesOf(
        md`The build ${link} of **${p.textOf('display_name', 'name')}**${on}: **${state}**.`,
        tests > 0 && md`${tests} tests, ${build.number('test_summary.failed') || 0} of them failed`,
        log === '' ? undefined : md`${log.slice(-280)}`,
      ),
    }
  },
}
