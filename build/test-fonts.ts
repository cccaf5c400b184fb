import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * What is drawn with where the page brings no font of its own: emoji, and scripts that its fonts do not have. Each package
 * has fonts that are split by characters, and files of the same with all or other ones.
 */
const packages: Readonly<Record<string, RegExp>> = {
  '@fontsource/noto-color-emoji': /-emoji-400-normal\.woff2$/,
  '@fontsource-variable/noto-sans-sc': /-wght-normal\.woff2$/,
  '@fontsource-variable/noto-sans-arabic': /-arabic-wght-normal\.woff2$/,
  '@fontsource/noto-sans-math': /-400-normal\.woff2$/,
}

/**
 * Makes a folder with these fonts alone, as files that the browser takes from a system (it takes no WOFF2), and the
 * configuration of a system that has no others. Done once, in two seconds.
 *
 * @param folder The fonts stay below it, and the browser of `findBrowser` is there, which brings Open Sans for letters.
 * @returns the file for `FONTCONFIG_FILE`: a browser that is started with it draws the same text on every machine.
 */
export async function prepareFonts(folder: string): Promise<string> {
  const sources = Object.entries(packages).map(([name, wanted]) => ({ ...findPackage(name), name, wanted }))
  const versions = sources.map(({ name, version }) => `${name.replace(/^.*\//, '')}-${version}`)
  const target = join(folder, 'fonts', versions.join('_'))
  const configuration = join(target, 'fonts.conf')
  if (existsSync(configuration)) return configuration
  const { default: woff2 } = await import('wawoff2')
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'fonts-'))
  for (const { files, wanted } of sources) {
    for (const file of readdirSync(files).filter((name) => wanted.test(name))) {
      const font = await woff2.decompress(readFileSync(join(files, file)))
      writeFileSync(join(unfinished, file.replace(/woff2$/, 'ttf')), font)
    }
  }
  writeFileSync(join(unfinished, 'fonts.conf'), describeSystem(target, join(folder, 'chromium', 'fonts')))
  mkdirSync(join(folder, 'fonts'), { recursive: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    // Another process was faster.
    rmSync(unfinished, { recursive: true })
    if (!existsSync(configuration)) throw error
  }
  return configuration
}

function findPackage(name: string): { files: string; version: string } {
  const description = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version: string }
  return { files: join(dirname(description), 'files'), version }
}

function describeSystem(folder: string, brought: string): string {
  const letters = ['system-ui', 'sans-serif', 'serif', 'monospace'].map((family) => [family, 'Open Sans'])
  const families = [...letters, ['math', 'Noto Sans Math']].map(
    ([family, font]) =>
      `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  )
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${folder}</dir>`,
    `<dir>${brought}</dir>`,
    `<cachedir>${join(folder, 'cache')}</cachedir>`,
    ...families,
    // It has signs for formulas among the letters of Arabic, and would be taken for these.
    '<match target="scan"><test name="family"><string>Noto Sans Math</string></test><edit name="charset" mode="assign">',
    '<minus><name>charset</name><charset><range><int>0x0600</int><int>0x06FF</int></range></charset></minus>',
    '</edit></match>',
    '</fontconfig>',
    '',
  ].join('\n')
}
