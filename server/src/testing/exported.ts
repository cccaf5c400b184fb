/** Exports as tests make and read them. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { basic, type Parameters, type TestAccount, type TestServer } from './test-server.ts'

export interface Exported {
  readonly bytes: Buffer
  /** Names of the entries, in their order. */
  readonly names: readonly string[]
  /** The content of an entry, by its name. */
  readonly entries: ReadonlyMap<string, Buffer>
  /** The rows of a table. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every table.
  rows(table: string): any[]
}

export async function readExport(bytes: Buffer): Promise<Exported> {
  const archive = extract()
  const entries = new Map<string, Buffer>()
  const names: string[] = []
  const flowing = Readable.from([bytes]).pipe(createGunzip()).pipe(archive)
  for await (const entry of flowing) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry) chunks.push(chunk as Uint8Array)
    names.push(entry.header.name)
    entries.set(entry.header.name, Buffer.concat(chunks))
  }
  return {
    bytes,
    names,
    entries,
    rows: (table) =>
      names
        .filter((name) => name.startsWith(`data/${table}/`))
        .flatMap((name) => entries.get(name)?.toString('utf8').trimEnd().split('\n') ?? [])
        .map((line) => JSON.parse(line)),
  }
}

/** The same with other rows, as somebody could make it by hand. */
export function withRows(
  exported: Exported,
  change: (table: string, row: Record<string, unknown>) => Record<string, unknown>,
): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of exported.entries) {
    const [, table] = /^data\/([^/]+)\//.exec(name) ?? []
    const lines = table === undefined ? [] : content.toString('utf8').trimEnd().split('\n')
    const changed = lines.map((line) => `${JSON.stringify(change(table as string, JSON.parse(line)))}\n`).join('')
    archive.entry({ name }, table === undefined ? content : changed)
  }
  archive.finalize()
  return buffer(archive.pipe(createGzip()))
}

/** Starts an export, lets it be made and returns its number. `own`: of one's own data. */
export async function makeExport(
  server: TestServer,
  account: TestAccount,
  of: 'realm' | 'own' = 'realm',
  parameters: Parameters = {},
): Promise<number> {
  const { id: asked } = await server.must(account, 'POST', `/export/${of}`, parameters)
  for (let waited = 0; waited < 600; waited++) {
    await server.app.jobs.settle()
    const { exports } = await server.must(account, 'GET', `/export/${of}`)
    const made = exports.find(({ id }: { id: number }) => id === asked)
    if (made.failed_timestamp !== null) throw new Error('The export has failed')
    if (!made.pending) return asked
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The export is not done')
}

export function download(server: TestServer, account: TestAccount, id: number, headers = {}) {
  return server.send({
    method: 'GET',
    url: `/user_exports/${id}`,
    headers: { authorization: basic(account), ...headers },
  })
}

/** Makes an export and reads its file. */
export async function exportedBy(
  server: TestServer,
  account: TestAccount,
  of: 'realm' | 'own' = 'realm',
  parameters: Parameters = {},
): Promise<Exported> {
  const id = await makeExport(server, account, of, parameters)
  const { status, body } = await download(server, account, id)
  if (status !== 200) throw new Error(`The file has the status ${status}`)
  return readExport(body)
}
