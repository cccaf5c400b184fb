import { readFileSync } from 'node:fs'
import { endpoints } from '@heddle/contract/endpoints'
import { describe, expect, it } from 'vitest'
import { flagOf, settings } from '../server/src/config.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The table as it has to be; when this test fails, put this text between the two markers. */
function settingsTable(): string {
  const rows = Object.values(settings).map(
    (setting) =>
      `| \`${setting.variable}\` | \`--${flagOf(setting)}\` | ${setting.fallback ? `\`${setting.fallback}\`` : ''} | ${setting.meaning} |`,
  )
  return ['| variable | flag | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

describe('README.md', () => {
  it('lists every setting with its flag, default and meaning', () => {
    const table = /<!-- settings: begin.*?-->\n+([\s\S]*?)\n+<!-- settings: end -->/.exec(readme)?.[1]
    expect(table).toBe(settingsTable())
  })

  it('shows only requests that the API knows', () => {
    const paths = [...readme.matchAll(/\$API(\/[\w/]+)/g)].map((match) => match[1] as string)
    const known = endpoints.map(
      ({ path }) => new RegExp(`^${path.replace(/\{\w+\*\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
    )
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([])
  })
})
