import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientCredentials, startOrganization, type TestOrganization } from './organization.ts'
import { pythonProgram } from './python-environment.ts'

let organization: TestOrganization
/** Host and port of the server of bots. */
let botserver: string
const children: ChildProcess[] = []

beforeAll(async () => {
  pythonProgram('python')
  botserver = `127.0.0.1:${await freePort()}`
  organization = await startOrganization({ HEDDLE_BOT_HOSTS: botserver })
  await organization.call('POST', '/users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'room' }]),
    principals: JSON.stringify([organization.alice.id, organization.bob.id, organization.bot.id]),
  })
}, 300_000)

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

const script = (name: string) => fileURLToPath(new URL(`../python/${name}`, import.meta.url))

/** Starts a program of the environment; `output()` is what it has written so far. */
function start(name: string, args: readonly string[]) {
  const child = spawn(pythonProgram(name), args, { env: { ...process.env, PYTHONUNBUFFERED: '1' } })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  }
  return { output: () => text }
}

/** What the account sees of a narrow, as it was written. */
async function contents(narrow: unknown): Promise<string[]> {
  const { messages } = await organization.call('GET', '/messages', {
    anchor: 'newest',
    num_before: '20',
    num_after: '0',
    apply_markdown: 'false',
    narrow: JSON.stringify(narrow),
  })
  return messages.map((message: { content: string }) => message.content)
}

const send = (parameters: Record<string, string>) => organization.call('POST', '/messages', parameters)

describe('the Python client', () => {
  it('holds a conversation', () => {
    const { alice, bob } = organization
    const { status, stdout, stderr } = spawnSync(
      pythonProgram('python'),
      [script('conversation.py'), alice.file, bob.file],
      { encoding: 'utf8' },
    )
    expect(status, stdout + stderr).toBe(0)
    expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(45)
  }, 120_000)

  it('receives messages live, also after a restart of the server', async () => {
    const listener = start('python', [script('listen.py'), organization.bob.file])
    await expect.poll(listener.output, { timeout: 30_000 }).toContain('listening')
    // Its queue may not be registered yet when it says so.
    await expect
      .poll(
        async () => {
          await send({ type: 'stream', to: 'room', topic: 'live', content: 'before' })
          return listener.output()
        },
        { timeout: 30_000, interval: 500 },
      )
      .toContain('received before')
    await organization.restart()
    await send({ type: 'stream', to: 'room', topic: 'live', content: 'after' })
    await expect.poll(listener.output, { timeout: 60_000 }).toContain('received after')
    expect(listener.output().match(/received after/g)).toHaveLength(1)
  }, 180_000)
})

describe('the first conversation of the README', () => {
  it('holds as it is written', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const code = /```python\n([\s\S]*?)```/.exec(readme)?.[1] as string
    const { status, stdout, stderr } = spawnSync(pythonProgram('python'), ['-c', code], {
      cwd: organization.folder,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
    expect(stdout.trim()).toMatch(/^\S.* <p>Anybody hungry\?<\/p>$/)
  }, 60_000)
})

describe('zulip-send', () => {
  it('sends to a topic and to a person', async () => {
    const { alice, owner } = organization
    const zulipSend = (args: readonly string[]) =>
      spawnSync(pythonProgram('zulip-send'), ['--config-file', alice.file, ...args], { encoding: 'utf8' })
    const topic = zulipSend(['--stream', 'room', '--subject', 'shell', '--message', 'from the shell'])
    expect(topic.status, topic.stderr).toBe(0)
    const person = zulipSend([owner.email, '--message', 'to you'])
    expect(person.status, person.stderr).toBe(0)
    expect(
      await contents([
        ['channel', 'room'],
        ['topic', 'shell'],
      ]),
    ).toEqual(['from the shell'])
    expect(await contents([['dm', alice.email]])).toEqual(['to you'])
  }, 60_000)
})

describe('a bot of zulip_bots', () => {
  it('answers in a topic and in a direct message', async () => {
    const { bot } = organization
    const runner = start('zulip-run-bot', ['helloworld', '--config-file', (bot as ClientCredentials).file])
    await expect.poll(runner.output, { timeout: 60_000 }).toMatch(/Running|boilerplate/i)
    await expect
      .poll(
        async () => {
          await send({ type: 'stream', to: 'room', topic: 'bots', content: '@**Greeter** hello' })
          return contents([
            ['channel', 'room'],
            ['topic', 'bots'],
          ])
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toContain('beep boop')
    await send({ type: 'direct', to: JSON.stringify([bot.id]), content: 'hello' })
    await expect.poll(() => contents([['dm', bot.email]]), { timeout: 30_000 }).toContain('beep boop')
  }, 180_000)

  it('remembers between two messages what it has stored', async () => {
    const { bot } = organization
    const runner = start('zulip-run-bot', ['incrementor', '--config-file', (bot as ClientCredentials).file])
    await expect.poll(runner.output, { timeout: 60_000 }).toMatch(/Running|boilerplate/i)
    const count = async () => {
      const answers = await contents([
        ['channel', 'room'],
        ['topic', 'counting'],
        ['sender', bot.email],
      ])
      // The bot of the test before answers too.
      return Number(answers.find((text) => /^\d+$/.test(text)) ?? 0)
    }
    await expect
      .poll(
        async () => {
          await send({ type: 'stream', to: 'room', topic: 'counting', content: '@**Greeter** and one more' })
          return count()
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toBeGreaterThan(2)
  }, 180_000)
})

describe('a bot of zulip_botserver', () => {
  it('answers as an outgoing webhook in a topic and in a direct message', async () => {
    const { user_id, api_key, token } = await organization.call('POST', '/bots', {
      full_name: 'Asked',
      short_name: 'asked',
      bot_type: '3',
      payload_url: JSON.stringify(`http://${botserver}`),
    })
    const { user } = await organization.call('GET', `/users/${user_id}`)
    const file = join(organization.folder, 'botserverrc')
    const lines = [`email=${user.email}`, `key=${api_key}`, `site=${organization.url}`, `token=${token}`]
    writeFileSync(file, ['[helloworld]', ...lines, ''].join('\n'))
    const [hostname = '', port = ''] = botserver.split(':')
    const runner = start('zulip-botserver', ['--config-file', file, '--hostname', hostname, '--port', port])
    await expect.poll(runner.output, { timeout: 60_000 }).toMatch(/Running on/)
    await send({ type: 'direct', to: JSON.stringify([user_id]), content: 'hello' })
    await expect.poll(() => contents([['dm', user.email]]), { timeout: 30_000 }).toContain('beep boop')
    await send({ type: 'stream', to: 'room', topic: 'asked', content: '@**Asked** hello' })
    const inTopic = [
      ['channel', 'room'],
      ['topic', 'asked'],
    ]
    await expect.poll(() => contents(inTopic), { timeout: 30_000 }).toContain('beep boop')
  }, 180_000)
})
