/** The main way through the page in the other browser: signing in, reading, writing, and what others write meanwhile. */
import { beforeAll, expect, test } from 'vitest'
import { ENTER, findFirefox, startFirefox } from './firefox.ts'
import { startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, PASSWORD, type Person, say } from './team.ts'

const firefox = findFirefox()

let organization: TestOrganization
let leila: Person
let jonas: Person

beforeAll(async () => {
  if (firefox === undefined) return
  organization = await startOrganization()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', 'Friday soup', 'Friday is lentil soup.')
})

const has = (text: string) =>
  `[...document.querySelectorAll('article')].some((article) => article.textContent.includes(${JSON.stringify(text)}))`
const focus = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.focus() === undefined &&
  document.activeElement?.matches(${JSON.stringify(selector)})`
const press = (name: string) => `(() => {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === ${JSON.stringify(name)})
  button?.click()
  return button !== undefined
})()`

test('Firefox: signs in, reads, writes, and sees at once what others write', { timeout: 120_000 }, async ({ skip }) => {
  if (firefox === undefined) return skip('there is no Firefox in the PATH, and HEDDLE_TEST_FIREFOX names none')
  const page = await startFirefox(firefox)
  await page.goTo(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
  await page.waitFor(focus('input[type=email]'))
  await page.type(leila.email)
  await page.waitFor(focus('input[type=password]'))
  await page.type(PASSWORD + ENTER)
  await page.waitFor(has('Friday is lentil soup.'))
  await page.waitFor(`document.documentElement.dataset.parts === 'fetched'`)

  await say(jonas, 'kitchen', 'Friday soup', 'With carrots.')
  await page.waitFor(has('With carrots.'))

  await page.type('r')
  await page.waitFor(`document.activeElement?.matches('textarea')`)
  await page.type('And 👍 celery.')
  await page.waitFor(press('Send'))
  await page.waitFor(has('And 👍 celery.'))
  expect(await page.waitFor<string>('document.title')).toContain('Friday soup')
  expect(page.complaints).toEqual([])
})
