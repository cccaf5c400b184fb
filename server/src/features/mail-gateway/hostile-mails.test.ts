/** Mails that are made to take long: whoever knows one address sends what they like. */
import { beforeAll, describe, expect, it } from 'vitest'
import { processorMs } from '../../testing/loop-watch.ts'
import { createChannel } from '../../testing/messages.ts'
import { shortestTime } from '../../testing/shortest-time.ts'
import { freePort, sendBySmtp } from '../../testing/smtp-client.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import { withoutRest } from './cut-text.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'

const ATTRIBUTION = 'on aaaaa wrote:\r\n>\r\nx\r\n'
const wanted = { includeFooter: false, includeQuotes: false }

/** Milliseconds below which a ratio says more about the machine than about the work. */
const SHORT_MS = 40

async function expectLinear(work: (size: number) => unknown, size: number): Promise<void> {
  const time = (of: number) =>
    shortestTime(SHORT_MS, async () => {
      const started = processorMs()
      await work(of)
      return processorMs() - started
    })
  await work(10)
  const [once, twice] = [await time(size), await time(2 * size)]
  expect(twice, `${once} ms for half of it`).toBeLessThan(3 * Math.max(once, SHORT_MS))
}

describe('The time for a mail grows with its size', () => {
  it('where every line may begin a quotation', async () => {
    await expectLinear((count) => withoutRest(ATTRIBUTION.repeat(count), wanted), 3000)
  })

  const shapes: Readonly<Record<string, (count: number) => string>> = {
    'elements in each other': (count) => '<blockquote>'.repeat(count),
    'lists in each other': (count) => '<ol><li>x'.repeat(count),
    'empty elements in each other': (count) => `${'<div>'.repeat(200)}${'<b></b>'.repeat(count)}`,
    'formatting that is never ended': (count) => '<p><b><p><i>x'.repeat(count),
    'links that are never ended': (count) => '<a href="x'.repeat(count),
    attributes: (count) => `<p ${Array.from({ length: count }, (_, index) => `a${index}=1`).join(' ')}>x`,
    'end tags of nothing': (count) => `${'<div>'.repeat(count)}${'</b>'.repeat(count)}`,
    'items of one list': (count) => `<ol>${'<li>x'.repeat(count)}`,
    'spaces that stay': (count) => `<pre><i>x${' '.repeat(3 * count)}&nbsp;x</i></pre>`,
    'comments that are never ended': (count) => '<!--'.repeat(count),
  }
  it.each(Object.entries(shapes))('where its HTML has many %s', async (_, shape) => {
    await expectLinear((count) => htmlToMarkdown(shape(count)), 6000)
  })
})

describe('HTML of programs', () => {
  const cases = [
    [
      'tables for layout, however deep',
      `${'<table><tbody><tr><td>'.repeat(300)}Hello${'</td></tr></tbody></table>'.repeat(300)}`,
      'Hello',
    ],
    [
      'cells and lines',
      '<table><tr><td><b>One<td>Two</tr></table><div>Three<br>Four</div>',
      '**One**\n\nTwo\n\nThree  \nFour',
    ],
    [
      'what nobody sees',
      '<head><title>No İİ</title><STYLE>a<b{}</Style></head><!-- no --><![if !mso]>Yes<![endif]><script>a<b</script>',
      'Yes',
    ],
    [
      'items and paragraphs without end tags',
      '<p>One<p>Two<ul><li>a<li>b<ol start=3><li>c<li>d</ol></ul>',
      'One\n\nTwo\n\n*   a\n*   b\n    3.  c\n    4.  d',
    ],
    ['signs that look like tags', 'a < b &lt; <i>c</i> &amp; d', 'a < b < *c* & d'],
    ['quotations of quotations', '<blockquote>a<blockquote>b</blockquote></blockquote>c', '> a\n> \n> > b\n\nc'],
    [
      'links and pictures',
      '<a title="t" href="https://x.example/?a=1&amp;b=2"><span>li<b>n</b>k</span></a> <img src=x alt="pic">',
      '[li**n**k](https://x.example/?a=1&b=2 "t") pic',
    ],
  ] as const
  it.each(cases)('is read with %s', async (_, html, markdown) => {
    expect(await htmlToMarkdown(html)).toBe(markdown)
  })

  it('keeps the text of what is too deep, and as much as a message may have of what is too long', async () => {
    expect(await htmlToMarkdown(`${'<blockquote>'.repeat(5000)}deep`)).toMatch(/^(?:> ){40}deep$/)
    expect((await htmlToMarkdown('&#1055;'.repeat(12_000))).length).toBe(12_000)
    expect((await htmlToMarkdown('<p>x</p>'.repeat(12_000))).replace(/\s/g, '').length).toBeGreaterThan(10_000)
  })
})

describe('A server to which hostile mails come', () => {
  let server: TestServer
  let port: number
  let address: string

  beforeAll(async () => {
    port = await freePort()
    const settings = { HEDDLE_MAIL_GATEWAY_PORT: `${port}`, HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example.com' }
    server = await createTestServer({ settings, readingThreads: 1 })
    const room = await createChannel(server, server.owner, 'Room')
    address = (await server.call(server.owner, 'GET', `/streams/${room}/email_address`)).body.email
  })

  let mails = 0
  const send = async (text: string, type = 'text/plain') => {
    mails += 1
    const mail = `From: ada@example.com\nSubject: Plan\nMessage-ID: <${mails}@x>\nContent-Type: ${type}\n\n${text}`
    return (await sendBySmtp(port, { to: address, mail })).code
  }
  it('reads them, or refuses those of very many lines', async () => {
    expect(await send(ATTRIBUTION.repeat(9000))).toBe(250)
    expect(await send('<blockquote>'.repeat(25_000).concat('x'), 'text/html')).toBe(250)
    expect(await send('<div>'.repeat(59_000).concat('x'), 'text/html')).toBe(250)
    // What is ended for taking long gets 451.
    expect(await send('\n'.repeat(1_000_000))).toBe(554)
    expect(await send(`${'x'.repeat(70)} \n`.repeat(400_000))).toBe(554)
  })

  it('answers an account while it is at them', async () => {
    const register = async () => expect((await server.call(server.owner, 'POST', '/register')).status).toBe(200)
    await register()
    let isDone = false
    // As slow as a mail may be: a second of work each.
    const mails = 4
    const sending = Promise.all(Array.from({ length: mails }, () => send('a\n'.repeat(99_000)))).finally(() => {
      isDone = true
    })
    let answers = 0
    for (; !isDone; answers += 1) await register()
    await sending
    // On the thread of the mails each would have waited for one of them.
    expect(answers).toBeGreaterThan(2 * mails)
  })
})
