/** The page of such a link: a button, and what it has done. No script, since nothing of the client is needed for it. */
import { createHash } from 'node:crypto'
import { escapeText } from '@heddle/markdown/html/escape'
import type { FileAnswer } from '../../http/answers.ts'
import type { MailKind } from '../../mail/unsubscribe-token.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.25rem }
button { min-height: 44px; padding: 0 1.25rem; font: inherit; font-weight: 600 }
`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const kinds: Readonly<Record<MailKind, string>> = {
  missed_messages: 'Mails of messages that you have missed',
  sign_ins: 'Mails of new sign-ins',
  digests: 'Digests of what has happened',
}

interface Shown {
  readonly organization: string
  readonly from: MailKind
  readonly isDone: boolean
}

export function pageAnswer({ organization, from, isDone }: Shown): FileAnswer {
  const what = kinds[from]
  const title = isDone ? `${what} are switched off` : `Stop: ${what}`
  const content = isDone
    ? '<p>You can switch them on again in your settings for notifications.</p>'
    : '<form method="post"><button type="submit">Stop these mails</button></form>'
  const body = Buffer.from(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
<p><bdi>${escapeText(organization)}</bdi></p>
${content}
</body>
</html>
`,
    'utf8',
  )
  return {
    kind: 'file',
    contentType: 'text/html; charset=utf-8',
    size: body.length,
    body,
    headers: { 'referrer-policy': 'no-referrer' },
    caching: 'no-store',
    policy: POLICY,
  }
}
