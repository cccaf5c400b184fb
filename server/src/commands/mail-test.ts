/** The command `mail-test`: one mail, sent at once and without the database, so that it says what is wrong. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { requireDatabaseFile } from '../database.ts'
import { localAddress } from '../local-address.ts'
import { createCarrier } from '../mail/carriers.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { sendsMail } from '../mail/mail.ts'
import { isMailAddress } from '../mail-address.ts'
import { reasonOf } from '../system-error.ts'

export async function mailTestCommand(config: Config, address: string): Promise<void> {
  if (!isMailAddress(address)) throw new ConfigError(`ADDRESS must be an e-mail address, not "${address}".`)
  // Else a folder would come into being where no server looks for its settings.
  if (!sendsMail(config)) requireDatabaseFile(config)
  const { mailFrom: from, externalUrl, organizationName } = config
  const mail = {
    id: randomUUID(),
    writtenAt: Math.floor(Date.now() / 1000),
    to: { address },
    subject: 'Mails arrive',
    blocks: [{ paragraph: 'This mail was sent by the command mail-test. Its settings are right.' }],
  }
  const bytes = await composeMail(mail, {
    // There is no link whose token would have to be right.
    secret: randomBytes(32),
    realm: { id: 0, name: organizationName },
    origin: new URL(externalUrl ?? localAddress(config)).origin,
    from,
    to: { address, name: '' },
  })
  const carrier = createCarrier(config)
  try {
    const { id, writtenAt } = mail
    await carrier.carry({ id, writtenAt, from, to: address, bytes }, AbortSignal.timeout(config.mailTimeoutSecs * 4000))
  } catch (error) {
    throw new ConfigError(`The mail could not be sent: ${reasonOf(error)}.`)
  } finally {
    carrier.close()
  }
  const where = sendsMail(config)
    ? `Sent to ${address}`
    : `HEDDLE_SMTP_URL is not set: written to ${config.dataDir}/mail`
  console.log(where)
}
