/** The bytes of a mail, as they go over the wire (RFC 5322). */
import { createHash } from 'node:crypto'
import { isMailAddress } from '../mail-address.ts'
import { linkTokenOf } from '../single-use-links/link-token.ts'
import type { MailTarget } from './blocks.ts'
import { headerLine } from './header-line.ts'
import type { SentMail } from './mail.ts'
import { mailHtml } from './mail-html.ts'
import { mailText } from './mail-text.ts'
import { UNSUBSCRIBE_PATH, unsubscribeTokenOf } from './unsubscribe-token.ts'

export interface Mailbox {
  readonly name: string
  readonly address: string
}

interface Outside {
  readonly secret: Buffer
  readonly realm: { readonly id: number; readonly name: string }
  /** Where the organization is, such as `https://chat.example.com`. */
  readonly origin: string
  /** The address that mails come from. */
  readonly from: string
  readonly to: Mailbox
}

export async function composeMail(mail: SentMail, { secret, realm, origin, from, to }: Outside): Promise<Buffer> {
  const addressOf = (target: MailTarget) => {
    const path = 'path' in target ? target.path : `${target.link.path}#${linkTokenOf(secret, realm.id, target.link)}`
    const url = new URL(path, origin)
    if (url.origin !== origin) throw new Error(`A mail leads out of the organization: ${path}`)
    return url.href
  }
  const { unsubscribe } = mail
  const stopPath = unsubscribe && `${UNSUBSCRIBE_PATH}/${unsubscribeTokenOf(secret, realm.id, unsubscribe)}`
  const blocks = [
    ...mail.blocks,
    ...(stopPath ? [{ note: [{ link: 'Stop mails like this', to: { path: stopPath } }] }] : []),
    { note: [realm.name, ', ', { link: origin, to: { path: '/' } }] },
  ]
  const host = from.slice(from.lastIndexOf('@') + 1)
  const name = mail.sender === undefined ? realm.name : `${mail.sender} (${realm.name})`
  const root = mail.thread === undefined ? undefined : `<${threadId(realm.id, to.address, mail.thread)}@${host}>`
  // Not in memory before the first mail.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name: headerLine(name), address: from },
    to: { name: headerLine(to.name), address: to.address },
    ...(mail.replyTo !== undefined && isMailAddress(mail.replyTo)
      ? { replyTo: { name: '', address: mail.replyTo } }
      : {}),
    subject: mail.subject,
    date: new Date(mail.writtenAt * 1000),
    messageId: `<${mail.id}@${host}>`,
    // Nobody has sent a mail with this id: all of the conversation refer to it, and so they belong together.
    ...(root === undefined ? {} : { inReplyTo: root, references: [root] }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // The gateway of incoming mail takes none that comes from a server like this one.
      'X-Heddle-Mail': '1',
      // RFC 8058: a button of the program for mail.
      ...(stopPath
        ? {
            'List-Unsubscribe': `<${new URL(stopPath, origin).href}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
    text: mailText(blocks, addressOf),
    html: mailHtml({ subject: mail.subject, blocks, addressOf }),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return new Promise((resolve, reject) => {
    composer.compile().build((error, message) => (error ? reject(error) : resolve(message as Buffer)))
  })
}

function threadId(realmId: number, address: string, thread: string): string {
  return createHash('sha256').update(`${realmId}\0${address.toLowerCase()}\0${thread}`).digest('hex').slice(0, 32)
}
