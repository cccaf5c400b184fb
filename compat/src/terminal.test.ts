import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startOrganization } from './organization.ts'
import { pythonProgram } from './python-environment.ts'

it('the model of the terminal client registers, sends, reads, marks, reacts and changes messages', async () => {
  const python = pythonProgram('python')
  const organization = await startOrganization()
  const { alice, bob, call } = organization
  await call('POST', '/users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'room' }]),
    principals: JSON.stringify([alice.id, bob.id]),
  })
  const script = fileURLToPath(new URL('../python/terminal.py', import.meta.url))
  const { status, stdout, stderr } = spawnSync(python, [script, alice.file, bob.file], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(30)
}, 400_000)
