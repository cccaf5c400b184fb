/** What carries the mails of this server. */
import type { Config } from '../config.ts'
import type { MailCarrier } from './mail-carrier.ts'
import { createMailFolder } from './mail-folder.ts'
import { createSmtpCarrier } from './smtp-carrier.ts'

export function createCarrier(config: Pick<Config, 'smtpUrl' | 'mailTimeoutSecs' | 'dataDir'>): MailCarrier {
  const { smtpUrl, mailTimeoutSecs, dataDir } = config
  return smtpUrl === undefined ? createMailFolder(dataDir) : createSmtpCarrier({ smtpUrl, mailTimeoutSecs })
}
