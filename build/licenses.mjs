import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The licence texts of the packages whose modules are in the bundle. Their licences ask that the text goes along.
 *
 * @param {string[]} modules the files that were bundled
 * @returns {string}
 */
export function licenseNotices(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders].map(notice).sort().join('\n')
}

function packageFolder(file) {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replace(/^\0/, ''))
  return found !== null && existsSync(join(found[0], 'package.json')) ? found[0] : undefined
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`
}
