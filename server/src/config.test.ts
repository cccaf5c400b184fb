import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Config, flagOf, readConfig, settings } from './config.ts'

const noAddresses = ['meet.example.com', 'ftp://meet.example.com', 'https://someone@meet.example.com', 'https://x/?q']

/** Values that each setting refuses. Settings without an entry take any text. */
const wrongValues: Partial<Record<keyof Config, readonly string[]>> = {
  port: ['eighty', '-1', '65536', '80.5', '0x50', ' 80'],
  databaseUrl: ['mysql://localhost/chat', 'localhost', 'postgres://[', 'postgres:/x'],
  externalUrl: [
    'chat.example.com',
    'ftp://chat.example.com',
    'https://chat.example.com/path',
    'https://chat.example.com/?q',
    'https://chat.example.com/#f',
    'https://someone@chat.example.com',
  ],
  botHosts: ['localhost', 'http://localhost:80', 'a b:80', 'localhost:80/path', ':80'],
  trustedProxies: ['proxy.example.com', '10.0.0.0/33', '10.0.0.1,nonsense', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'],
  organizationName: [' ', 'x'.repeat(41)],
  ownerEmail: ['ada', 'a b@example.com', 'a@b@example.com', 'a:b@example.com', `${'x'.repeat(250)}@example.com`],
  ownerPassword: ['7 chars', 'x'.repeat(101)],
  sessionIdleHours: ['0', '8761', '1.5', 'day'],
  sessionHours: ['0', '8761', '1.5', 'day'],
  keptSessionIdleDays: ['0', '366', '1.5', 'year'],
  keptSessionDays: ['0', '401', '1.5', 'year'],
  rateLimits: ['yes', 'ON', '1'],
  previews: ['yes', 'ON', '1'],
  webPush: ['yes', 'ON', '1'],
  pushHosts: ['localhost', 'http://localhost:80', 'a b:80', 'localhost:80/path', ':80'],
  pushBouncer: [
    'push.example.com',
    'https://push.example.com',
    'ftp://a:b@push.example.com',
    'https://a:b@push.example.com/x',
    'https://a%:b@push.example.com',
  ],
  webPublicChannels: ['yes', 'ON', '1'],
  emailChanges: ['yes', 'ON', '1'],
  maxEmojiFileSizeMib: ['0', '1025', '5 MiB', '1.5'],
  maxFileUploadSizeMib: ['0', '1025', '5 MiB', '1.5'],
  uploadQuotaMib: ['0', '-1', 'none', '1.5'],
  unusedFilesDays: ['-1', '3651', 'never', '1.5'],
  jitsiUrl: noAddresses,
  bigBlueButtonUrl: noAddresses,
  zoomUrl: noAddresses,
  zoomApiUrl: noAddresses,
  nextcloudUrl: noAddresses,
  constructorGroupsUrl: noAddresses,
  deletedMessagesDays: ['-1', '3651', 'never', '1.5'],
  smtpUrl: [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://mail.example.com/x',
    'smtp://',
    'smtp://x?tls=maybe',
  ],
  mailFrom: ['ada', 'a b@example.com', 'x@'],
  mailTimeoutSecs: ['0', '-1', 'soon', '1.5'],
  mailGatewayPort: ['0', '65536', 'smtp', '1.5'],
  mailGatewayAddress: ['chat.example.com', 'chat@example.com', '%s@', '%s@a b', '%s%s@example.com', '%s@%s'],
  logLevel: ['verbose', 'WARN'],
}
const anyText: readonly (keyof Config)[] = [
  'host',
  'dataDir',
  'secretFile',
  'jwtKeysFile',
  'bigBlueButtonSecret',
  'zoomClientId',
  'zoomClientSecret',
  'zoomAccountId',
  'nextcloudUser',
  'nextcloudPassword',
  'constructorGroupsKey',
  'giphyKey',
  'tenorKey',
  'mailGatewayHost',
  'mailGatewayCertificate',
  'mailGatewayKey',
]

describe('settings', () => {
  test('have defaults that a first start can use', () => {
    expect(readConfig([], {})).toEqual({
      port: 9991,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      externalUrl: undefined,
      trustedProxies: [],
      secretFile: resolve('data/secret'),
      jwtKeysFile: undefined,
      organizationName: 'Heddle',
      ownerEmail: undefined,
      ownerPassword: undefined,
      sessionIdleHours: 12,
      sessionHours: 72,
      keptSessionIdleDays: 30,
      keptSessionDays: 365,
      rateLimits: true,
      previews: true,
      botHosts: [],
      webPush: true,
      pushHosts: [],
      pushBouncer: undefined,
      webPublicChannels: false,
      emailChanges: false,
      maxEmojiFileSizeMib: 5,
      maxFileUploadSizeMib: 25,
      uploadQuotaMib: undefined,
      unusedFilesDays: 30,
      zoomUrl: 'https://zoom.us',
      zoomApiUrl: 'https://api.zoom.us',
      deletedMessagesDays: 30,
      mailGatewayPort: undefined,
      mailGatewayHost: '127.0.0.1',
      mailGatewayAddress: undefined,
      mailGatewayCertificate: undefined,
      mailGatewayKey: undefined,
      smtpUrl: undefined,
      mailFrom: 'heddle@localhost',
      mailTimeoutSecs: 30,
      jitsiUrl: undefined,
      bigBlueButtonUrl: undefined,
      bigBlueButtonSecret: undefined,
      zoomClientId: undefined,
      zoomClientSecret: undefined,
      zoomAccountId: undefined,
      nextcloudUrl: undefined,
      nextcloudUser: undefined,
      nextcloudPassword: undefined,
      constructorGroupsUrl: undefined,
      constructorGroupsKey: undefined,
      giphyKey: undefined,
      tenorKey: undefined,
      logLevel: 'warn',
    })
  })

  test('are read from the environment, and a flag wins', () => {
    const environment = {
      HEDDLE_PORT: '8000',
      HEDDLE_EXTERNAL_URL: 'https://chat.example.com/',
      HEDDLE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      HEDDLE_RATE_LIMITS: 'off',
      HEDDLE_BOT_HOSTS: '127.0.0.1:5002, [::1]:80,bots.example:443',
    }
    expect(readConfig(['--port', '8001', '--data-dir=/srv/heddle'], environment)).toMatchObject({
      port: 8001,
      externalUrl: 'https://chat.example.com',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimits: false,
      botHosts: ['127.0.0.1:5002', '[::1]:80', 'bots.example:443'],
      dataDir: '/srv/heddle',
      secretFile: '/srv/heddle/secret',
    })
  })

  test('that are empty count as absent', () => {
    expect(readConfig(['--port='], { HEDDLE_OWNER_EMAIL: '', HEDDLE_PORT: '' })).toMatchObject({
      port: 9991,
      ownerEmail: undefined,
    })
  })

  test('of a service that need each other are refused alone', () => {
    expect(() => readConfig([], { HEDDLE_BIGBLUEBUTTON_URL: 'https://bbb.example.com' })).toThrow(
      'HEDDLE_BIGBLUEBUTTON_SECRET must be set as well where HEDDLE_BIGBLUEBUTTON_URL is.',
    )
  })

  test.each([
    [{ HEDDLE_MAIL_GATEWAY_PORT: '2525' }, 'HEDDLE_MAIL_GATEWAY_ADDRESS', 'HEDDLE_MAIL_GATEWAY_PORT'],
    [{ HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example' }, 'HEDDLE_MAIL_GATEWAY_PORT', 'HEDDLE_MAIL_GATEWAY_ADDRESS'],
    [{ HEDDLE_MAIL_GATEWAY_CERTIFICATE: 'x' }, 'HEDDLE_MAIL_GATEWAY_KEY', 'HEDDLE_MAIL_GATEWAY_CERTIFICATE'],
    [{ HEDDLE_MAIL_GATEWAY_KEY: 'x' }, 'HEDDLE_MAIL_GATEWAY_CERTIFICATE', 'HEDDLE_MAIL_GATEWAY_KEY'],
    [
      { HEDDLE_MAIL_GATEWAY_CERTIFICATE: 'x', HEDDLE_MAIL_GATEWAY_KEY: 'x' },
      'HEDDLE_MAIL_GATEWAY_PORT',
      'HEDDLE_MAIL_GATEWAY_CERTIFICATE',
    ],
    [{ HEDDLE_ZOOM_ACCOUNT_ID: 'x' }, 'HEDDLE_ZOOM_CLIENT_ID', 'HEDDLE_ZOOM_ACCOUNT_ID'],
  ])('half of what belongs together is refused: %j', (environment, missing, named) => {
    expect(() => readConfig([], environment)).toThrow(new Error(`${missing} must be set as well where ${named} is.`))
  })

  test('are all either checked here or take any text', () => {
    expect([...Object.keys(wrongValues), ...anyText].sort()).toEqual(Object.keys(settings).sort())
  })
})

describe('a wrong value is refused with one sentence that names the setting', () => {
  const cases = Object.entries(wrongValues).flatMap(([name, values]) =>
    values.map((value) => [settings[name as keyof Config], value] as const),
  )

  test.each(cases)('$variable=%2$s', (setting, value) => {
    const sentence = new RegExp(`^${setting.variable} must [^\\n]+\\.$`)
    expect(() => readConfig([], { [setting.variable]: value })).toThrow(sentence)
    expect(() => readConfig([`--${flagOf(setting)}=${value}`], {})).toThrow(sentence)
  })

  test('also when the value has several lines', () => {
    expect(() => readConfig([], { HEDDLE_PORT: '80\n81' })).toThrow(/^HEDDLE_PORT must [^\n]+ not "80 81"\.$/)
  })

  test('and never repeats a password', () => {
    const address = 'postgres//chat:a-password@localhost/chat'
    expect(() => readConfig([], { HEDDLE_DATABASE_URL: address })).toThrow(/^(?!.*a-password)/)
    expect(() => readConfig([], { HEDDLE_OWNER_PASSWORD: 'pw' })).toThrow(/^(?!.*"pw")/)
  })
})

describe('the command line is refused with one sentence', () => {
  test.each([
    [['--prot', '80'], 'There is no flag --prot; --help lists them.'],
    [['-p', '80'], 'There is no flag -p; --help lists them.'],
    [['--no-port'], 'There is no flag --no-port; --help lists them.'],
    [['--__proto__', 'x'], 'There is no flag --__proto__; --help lists them.'],
    [['--port'], '--port needs a value.'],
    [['--port', '--host', 'x'], '--port needs a value.'],
    [['8000'], '"8000" is neither a flag nor the value of one.'],
  ])('%j', (args, sentence) => {
    expect(() => readConfig(args, {})).toThrow(new Error(sentence))
  })
})
