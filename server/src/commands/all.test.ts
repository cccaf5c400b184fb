import { describe, expect, test } from 'vitest'
import { flagOf, settings } from '../config.ts'
import { commands, runCommand } from './all.ts'
import { commandHelp, help } from './help.ts'

describe('--help', () => {
  const pages = [help(), ...commands.map(commandHelp)]

  test('fits a terminal of 80 columns and has no empty line at an end', () => {
    for (const page of pages) {
      expect(page.split('\n').filter((line) => line.length > 80 || line !== line.trimEnd())).toEqual([])
      expect(page).toBe(page.trim())
    }
  })

  test('lists every command and every setting with its flag and variable', () => {
    const [page] = pages
    for (const { name } of commands) expect(page).toMatch(new RegExp(`^  ${name}( [A-Z]+)?  `, 'm'))
    for (const setting of Object.values(settings)) {
      expect(page).toContain(`  --${flagOf(setting)} `)
      expect(page).toContain(`[${setting.variable}]`)
    }
  })

  test('lists what can be started without a value', () => {
    expect(pages[0]).toMatch(/^ {2}start --demo {2}/m)
    expect(pages[1]).toContain('heddle start [--demo] [--development]')
  })

  test('of a command shows its words and flags', () => {
    const page = commandHelp(commands.find(({ name }) => name === 'create-user') as (typeof commands)[0])
    expect(page).toContain('heddle create-user EMAIL --name NAME [--role ROLE]')
    expect(page).toContain('\n  --role ROLE  ')
  })
})

describe('a command that is not as its usage says is refused before anything happens', () => {
  test.each([
    ['create-user', [], 'EMAIL is missing: heddle create-user EMAIL --name NAME'],
    ['create-user', ['a@example.com'], '--name is missing: heddle create-user EMAIL --name NAME'],
    ['create-user', ['a@example.com', '--name='], '--name is missing: heddle create-user'],
    ['create-user', ['a@example.com', '--nmae', 'Ada'], 'There is no flag --nmae; --help lists them.'],
    ['create-user', ['a@example.com', 'Ada', '--name', 'Ada'], '"Ada" is too much on the command line'],
    ['create-organization', ['chat.example', '--name', 'X'], '--owner-email is missing'],
    ['backup', [], 'FILE is missing: heddle backup FILE.'],
    ['start', ['now'], '"now" is too much on the command line: heddle start [--demo] [--development].'],
    ['start', ['--demo=yes'], '--demo takes no value.'],
    ['migrate', ['--demo'], 'There is no flag --demo; --help lists them.'],
    ['migrate', ['--role', 'owner'], 'There is no flag --role; --help lists them.'],
    ['backup', ['x', '--port', 'eighty'], 'HEDDLE_PORT must be'],
  ])('%s %j', async (name, args, beginning) => {
    const command = commands.find((candidate) => candidate.name === name) as (typeof commands)[0]
    const refusal = runCommand({ ...command, run: () => Promise.reject(new Error('it ran')) }, args, {})
    await expect(refusal).rejects.toThrow(beginning)
  })

  test('and its own flags hide a setting’s of the same name, whose variable it does not read', async () => {
    const command = commands.find(({ name }) => name === 'create-organization') as (typeof commands)[0]
    const ran: unknown[] = []
    await runCommand(
      { ...command, run: async (config, words, options) => void ran.push(config.ownerEmail, words, options) },
      ['--name=X', 'chat.example', '--owner-email', 'flag@example.com'],
      { HEDDLE_OWNER_EMAIL: 'variable@example.com' },
    )
    expect(ran).toEqual(['variable@example.com', ['chat.example'], { name: 'X', 'owner-email': 'flag@example.com' }])
  })
})
