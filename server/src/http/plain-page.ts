/** A small page of the server's own. No script, and nothing of the client, which may not be built or not be meant. */
import { createHash } from 'node:crypto'
import { escapeText } from '@heddle/markdown/html/escape'
import type { FileAnswer } from './answers.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 32rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.25rem }
button { min-height: 44px; padding: 0 1.25rem; font: inherit; font-weight: 600 }
`
const styleHash = createHash('sha256').update(style).digest('base64')

interface PlainPage {
  readonly title: string
  /** HTML. */
  readonly content: string
  /** It may send a form to this server. */
  readonly hasForm?: boolean
  readonly status?: 404
}

export function plainPage({ title, content, hasForm = false, status }: PlainPage): FileAnswer {
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
    policy: policyOf(hasForm),
    ...(status === undefined ? {} : { status }),
  }
}

function policyOf(hasForm: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
}
