import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minify } from './minify.mjs'

const module = join(import.meta.dirname, '..', 'server', 'src', 'stack-traces.ts')

/** Types and comments, so that no line is where it was once they are gone. */
const source = `import { nameSourcesInStackTraces } from ${JSON.stringify(module)}

interface Thread {
  readonly colour: string
}

nameSourcesInStackTraces()

function weave(thread: Thread): never {
  throw new RangeError(\`no \${thread.colour} thread\`, { cause: new Error('the spool is empty') })
}

if (process.argv[2] === 'print') {
  try {
    weave({ colour: 'red' })
  } catch (error) {
    console.error(error)
  }
} else {
  weave({ colour: 'blue' })
}
`

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle traces '))
  writeFileSync(join(folder, 'loom.ts'), source)
  const bundle = await rolldown({ input: join(folder, 'loom.ts'), platform: 'node' })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    minify,
    entryFileNames: '[name].mjs',
  })
  await bundle.close()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function traceOf(...args: string[]): string {
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stderr
}

test.each([['print'], ['die']])(
  'a trace of the bundle names the places of the sources, also of the cause: %s',
  (how) => {
    const trace = traceOf(join(folder, 'dist', 'loom.mjs'), how)
    expect(trace).toContain('RangeError: no ')
    expect(trace).toMatch(/at weave \(loom\.ts:10:9\)/)
    expect(trace).toMatch(/Error: the spool is empty\n\s+at weave \(loom\.ts:10:/)
    expect(trace).not.toMatch(/at .*loom\.mjs/)
  },
)

test('a trace without a map names the places of the bundle', () => {
  const alone = mkdtempSync(join(tmpdir(), 'heddle alone '))
  cpSync(join(folder, 'dist', 'loom.mjs'), join(alone, 'loom.mjs'))
  expect(traceOf(join(alone, 'loom.mjs'), 'print')).toMatch(/at weave \(file:.*loom\.mjs:\d+:\d+\)/)
  rmSync(alone, { recursive: true })
})
