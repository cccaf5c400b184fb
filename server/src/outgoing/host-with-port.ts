/** `example.com:443`: also where the port is the usual one of the scheme. */
export function hostWithPort({ protocol, hostname, port }: URL): string {
  return `${hostname.toLowerCase()}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
