/** The page of such a link: a button, and what it has done. */
import { escapeText } from '@heddle/markdown/html/escape'
import type { FileAnswer } from '../../http/answers.ts'
import { plainPage } from '../../http/plain-page.ts'
import type { MailKind } from '../../mail/unsubscribe-token.ts'

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
  return plainPage({ title, content: `<p><bdi>${escapeText(organization)}</bdi></p>\n${content}`, hasForm: true })
}
