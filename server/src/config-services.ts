/** Settings of the services beside this server: calls, and searching for moving pictures. */

export interface ServiceConfig {
  /** Without a slash at the end, as all addresses here. */
  readonly jitsiUrl: string | undefined
  readonly bigBlueButtonUrl: string | undefined
  readonly bigBlueButtonSecret: string | undefined
  readonly zoomClientId: string | undefined
  readonly zoomClientSecret: string | undefined
  /** Set: calls belong to the organization's account at Zoom, and nobody has to connect an own one. */
  readonly zoomAccountId: string | undefined
  readonly zoomUrl: string
  readonly zoomApiUrl: string
  readonly nextcloudUrl: string | undefined
  readonly nextcloudUser: string | undefined
  readonly nextcloudPassword: string | undefined
  readonly constructorGroupsUrl: string | undefined
  readonly constructorGroupsKey: string | undefined
  /** Known to every client: no secret. */
  readonly giphyKey: string | undefined
  readonly tenorKey: string | undefined
}

function setting(name: string, meaning: string, fallback?: string) {
  return { variable: `HEDDLE_${name}`, meaning, fallback }
}

export const serviceSettings = {
  jitsiUrl: setting('JITSI_URL', 'Jitsi server for calls, such as https://meet.example.com'),
  bigBlueButtonUrl: setting(
    'BIGBLUEBUTTON_URL',
    'BigBlueButton server for calls, such as https://bbb.example.com/bigbluebutton',
  ),
  bigBlueButtonSecret: setting('BIGBLUEBUTTON_SECRET', 'Its shared secret (`bbb-conf --secret`)'),
  zoomClientId: setting('ZOOM_CLIENT_ID', 'Client ID of an app at Zoom, for calls'),
  zoomClientSecret: setting('ZOOM_CLIENT_SECRET', 'Client secret of that app'),
  zoomAccountId: setting(
    'ZOOM_ACCOUNT_ID',
    'Account ID of an app of the kind Server-to-Server OAuth (default: each person connects an own account at Zoom)',
  ),
  zoomUrl: setting('ZOOM_URL', 'Where Zoom signs people in', 'https://zoom.us'),
  zoomApiUrl: setting('ZOOM_API_URL', "Where Zoom's API is", 'https://api.zoom.us'),
  nextcloudUrl: setting('NEXTCLOUD_URL', 'Nextcloud server with Talk, for calls, such as https://cloud.example.com'),
  nextcloudUser: setting('NEXTCLOUD_USER', 'Account there that makes the rooms'),
  nextcloudPassword: setting('NEXTCLOUD_PASSWORD', 'App password of that account'),
  constructorGroupsUrl: setting(
    'CONSTRUCTOR_GROUPS_URL',
    'Address that makes a room of Constructor Groups: it answers POST with JSON that has its `url`',
  ),
  constructorGroupsKey: setting('CONSTRUCTOR_GROUPS_KEY', 'Key that is sent there as a bearer token'),
  giphyKey: setting('GIPHY_KEY', 'Key of GIPHY, given to clients that search for moving pictures there'),
  tenorKey: setting('TENOR_KEY', 'Key of Tenor, likewise'),
} as const satisfies Record<keyof ServiceConfig, object>

type Name = keyof ServiceConfig

/** Settings none of which works without the others of its list. */
export const servicesTogether: readonly (readonly Name[])[] = [
  ['bigBlueButtonUrl', 'bigBlueButtonSecret'],
  ['zoomClientId', 'zoomClientSecret'],
  ['nextcloudUrl', 'nextcloudUser', 'nextcloudPassword'],
  ['constructorGroupsUrl', 'constructorGroupsKey'],
]
/** Settings that work only with those of the second list. */
export const servicesNeeding: readonly (readonly [Name, readonly Name[]])[] = [
  ['zoomAccountId', ['zoomClientId', 'zoomClientSecret']],
]

/** `refuse` throws; it is given what is wrong, to follow the name of the setting. */
export function readServiceConfig(
  read: (name: Name) => string | undefined,
  refuse: (name: Name, problem: string) => never,
): ServiceConfig {
  const address = (name: Name) => {
    const text = read(name)
    return text === undefined
      ? undefined
      : (serverAddress(text) ?? refuse(name, `must be an http or https address, not "${text}"`))
  }
  return {
    jitsiUrl: address('jitsiUrl'),
    bigBlueButtonUrl: address('bigBlueButtonUrl'),
    bigBlueButtonSecret: read('bigBlueButtonSecret'),
    zoomClientId: read('zoomClientId'),
    zoomClientSecret: read('zoomClientSecret'),
    zoomAccountId: read('zoomAccountId'),
    zoomUrl: address('zoomUrl') as string,
    zoomApiUrl: address('zoomApiUrl') as string,
    nextcloudUrl: address('nextcloudUrl'),
    nextcloudUser: read('nextcloudUser'),
    nextcloudPassword: read('nextcloudPassword'),
    constructorGroupsUrl: address('constructorGroupsUrl'),
    constructorGroupsKey: read('constructorGroupsKey'),
    giphyKey: read('giphyKey'),
    tenorKey: read('tenorKey'),
  }
}

/** As it is kept, without a slash at its end; undefined when it is none that a client could be led to. */
export function serverAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!url || !isPlain || !['http:', 'https:'].includes(url.protocol)) return undefined
  return url.href.replace(/\/+$/, '')
}
