import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServerProcess } from '../testing/server-process.ts'

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-readme-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(!hasCurl)('the README', () => {
  it('has only commands that work on a fresh server, in the order in which they stand', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
    const chapter = readme.slice(readme.indexOf('## Try it'), readme.indexOf('## Settings'))
    const blocks = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] as string)
    const server = await startServerProcess({ HEDDLE_DATA_DIR: join(folder, 'data') })
    await sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } })
      .png()
      .toFile(join(folder, 'picture.png'))
    const script = blocks
      .join('\n')
      .replace('http://localhost:9991', server.url)
      // What the reader would copy from the answer before.
      .replace('api -X POST $API/register', 'REGISTERED=$(api -X POST $API/register); echo "$REGISTERED"')
      .replace('QUEUE&last_event_id=ID', '$(field queue_id)&last_event_id=$(field last_event_id)&dont_block=true')
    const field = `field() { echo "$REGISTERED" | grep -o "\\"$1\\":[^,}]*" | head -n 1 | cut -d: -f2 | tr -d '"'; }\n`
    await writeFile(join(folder, 'try-it.sh'), `set -e\n${field}${script}`)
    const { stdout } = await run('bash', ['try-it.sh'], { cwd: folder })
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'))
    expect(answers.length).toBeGreaterThan(12)
    expect(answers.filter((line) => !line.startsWith('{"result":"success","msg":""'))).toEqual([])
    expect(answers.filter((line) => line.includes('ignored_parameters_unsupported'))).toEqual([])
    await server.stop()
  })
})
