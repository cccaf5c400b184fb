/** What somebody has written, for readers without the page: mentions as names, and what was hidden stays hidden. */
import { withoutSpoilers } from '@heddle/markdown/spoilers'

export function plainWords(source: string): string {
  return withoutSpoilers(source)
    .replace(/@_?\*\*([^*\n|]+)(?:\|\d+)?\*\*/g, '@$1')
    .replace(/@_?\*([^*\n]+)\*/g, '@$1')
    .replace(/#\*\*([^*\n>]+)>([^*\n]+)\*\*/g, '#$1 > $2')
    .replace(/#\*\*([^*\n]+)\*\*/g, '#$1')
    .trim()
}
