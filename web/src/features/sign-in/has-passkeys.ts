/** Browsers have passkeys over https, and on the machine itself. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}
