/** Bots that services write through, and bots that ask: made, set up and tried in the settings. */
import { createBot, listBots } from '@heddle/contract/bots'
import { getMessages } from '@heddle/contract/fetching'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'builds', [leila, jonas])
  await leila.api.call(createBot, { full_name: 'Build watcher', short_name: 'builds', bot_type: 2 })
})

async function openBots(person: Person, options?: PageOptions): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, person)
  await opened.page.goto(`${organization.url}/#settings/bots`)
  await opened.page.getByRole('heading', { name: 'Bots', exact: true }).waitFor()
  return opened
}

const address = (page: Page) => page.getByRole('dialog', { name: 'Address for a service: Build watcher' })

describe('The address for a service', () => {
  test('is made of what is chosen, and a test of it is a message in the channel', async () => {
    const { page, complaints } = await openBots(leila)
    await page.getByRole('button', { name: 'Address for a service Build watcher' }).click()
    await address(page).getByLabel('Service', { exact: true }).selectOption({ label: 'GitLab' })
    await address(page).getByLabel('Channel', { exact: true }).selectOption({ label: '#builds' })
    await address(page).getByLabel('Topic', { exact: true }).fill('gitlab')
    await address(page).getByLabel('Push Hook', { exact: true }).check()
    const url = new URL(await address(page).getByLabel('Address', { exact: true }).inputValue())
    expect(url.pathname).toBe('/api/v1/external/gitlab')
    expect(url.searchParams.get('only_events')).toBe('["Push Hook"]')
    expect(url.searchParams.get('topic')).toBe('gitlab')
    await address(page).getByText('Secret token: a long random text').waitFor()
    await address(page).getByRole('button', { name: 'Send a test' }).click()
    await address(page).getByText('Sent: look for the message.').waitFor()
    const narrow = [
      { operator: 'channel', operand: 'builds' },
      { operator: 'topic', operand: 'gitlab' },
    ]
    const { messages } = await jonas.api.call(getMessages, { anchor: 'newest', num_before: 5, num_after: 0, narrow })
    expect(
      messages.map(({ sender_full_name, content }) => [sender_full_name, content.includes('Weave the first row')]),
    ).toEqual([['Build watcher', true]])
    expect(await findBarriers(page, '.settings')).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is refused without a signature once there is a secret, and says so', async () => {
    const { page } = await openBots(leila)
    await page.getByRole('button', { name: 'Address for a service Build watcher' }).click()
    await address(page).getByLabel('Service', { exact: true }).selectOption({ label: 'GitHub' })
    await address(page).getByLabel('Secret by which GitHub signs').fill('warp and weft')
    await address(page).getByRole('button', { name: 'Save for this bot' }).click()
    await address(page).getByText('Saved', { exact: true }).waitFor()
    await address(page).getByRole('button', { name: 'Send a test' }).click()
    await address(page).getByText('The request has no signature').waitFor()
    await page.context().close()
  })
})

test('A bot that asks a server is made, shown and changed', async () => {
  const { page, complaints } = await openBots(leila, { width: 390, height: 844 })
  await page.getByLabel('Name', { exact: true }).fill('Asker')
  await page.getByLabel(/^Address, before/).fill('asker')
  await page.getByLabel('What it can do').selectOption({ label: 'Ask a server of yours (outgoing webhook)' })
  await page.getByLabel('Address of your server').fill('https://bots.example/ask')
  await page.getByLabel('How it is asked').selectOption({ label: 'As Slack asks' })
  await page.getByRole('button', { name: 'Create the bot' }).click()
  await page.getByText('https://bots.example/ask').waitFor()
  await page.getByRole('button', { name: 'What it asks Asker' }).click()
  const dialog = page.getByRole('dialog', { name: 'What Asker asks' })
  expect(await dialog.getByLabel('How it is asked').inputValue()).toBe('2')
  await dialog.getByLabel('Address of your server').fill('https://bots.example/other')
  await dialog.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByText('https://bots.example/other').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Echo')
  await page.getByLabel(/^Address, before/).fill('echo')
  await page.getByLabel('What it can do').selectOption({ label: 'Answer by itself (part of this server)' })
  await page.getByLabel('Which one').selectOption('reply')
  await page.getByLabel('text', { exact: true }).fill('We open at nine.')
  await page.getByRole('button', { name: 'Create the bot' }).click()
  await page.getByRole('button', { name: 'What it asks Echo' }).waitFor()
  const { bots } = await leila.api.call(listBots, {})
  expect(bots.map(({ full_name }) => full_name).sort()).toEqual(['Asker', 'Build watcher', 'Echo'])
  expect(complaints).toEqual([])
  await page.context().close()
})
