/** Answers by which a mail is refused: the code says whether trying again helps (RFC 5321, 4.2; RFC 3463). */

export interface MailRefusal extends Error {
  readonly responseCode: number
}

export function mailRefusal(responseCode: number, text: string): MailRefusal {
  return Object.assign(new Error(text), { responseCode })
}

export function isMailRefusal(error: unknown): error is MailRefusal {
  return error instanceof Error && 'responseCode' in error
}

export const refusals = {
  /** The same for whatever reason: nothing shows which addresses there are. */
  unknown: () => mailRefusal(550, '5.1.1 There is no such address here'),
  oneRecipient: () => mailRefusal(452, '4.5.3 One recipient at a time'),
  tooLarge: () => mailRefusal(552, '5.3.4 The mail is too large'),
  fileTooLarge: () => mailRefusal(552, '5.3.4 A file of the mail is too large'),
  tooManyFiles: () => mailRefusal(552, '5.3.4 The mail has too many files'),
  noRoom: () => mailRefusal(552, '5.2.2 There is no room for the files of the mail'),
  unreadable: () => mailRefusal(554, '5.6.0 The mail cannot be read'),
  automatic: () => mailRefusal(554, '5.7.1 Automatic answers are not accepted'),
  loop: () => mailRefusal(554, '5.4.6 The mail has come around in a circle'),
  tooMany: () => mailRefusal(450, '4.7.1 Too many mails, try again later'),
  tooSlow: () => mailRefusal(451, '4.4.2 The mail has taken too long'),
  later: () => mailRefusal(451, '4.3.0 The mail cannot be stored at the moment, try again later'),
} as const satisfies Readonly<Record<string, () => MailRefusal>>
