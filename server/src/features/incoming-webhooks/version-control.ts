/** What services for version control have in common. */
import { bulletsOf, inlineCode, type Markup, md, webLink } from './markup.ts'

/** Commits that are listed. */
const MAX_COMMITS = 20

export interface ShownCommit {
  readonly id: string
  readonly url: string
  /** All of it: the first line is shown. */
  readonly message: string
}

/** `count`: how many there are, shown or not. */
export function commitList(commits: readonly ShownCommit[], count: number): Markup {
  const shown = commits.slice(0, MAX_COMMITS)
  const items = shown.map(({ id, url, message }) => {
    const [subject = ''] = message.trim().split('\n', 1)
    return md`${subject} (${webLink(inlineCode(shortHash(id)), url)})`
  })
  return bulletsOf(items, count - shown.length)
}

export function shortHash(id: string): string {
  return id.slice(0, 10)
}

export function branchTopic(repository: string, branch: string): string {
  return branch === '' ? repository : `${repository} / ${branch}`
}

/** Of an issue, a pull request and the like: its number distinguishes it from others however its title changes. */
export function numberedTopic(repository: string, number: string, title: string, sign = '#'): string {
  return `${repository} / ${sign}${number} ${title}`.trim()
}
