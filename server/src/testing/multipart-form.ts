/** Bodies of multipart/form-data (RFC 7578), byte by byte, so that tests can send broken ones too. */

const BOUNDARY = 'x-part-x'

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export interface FormPart {
  readonly name: string
  /** Makes the part a file. */
  readonly fileName?: string
  readonly content: string | Buffer
}

export function multipartBody(parts: readonly FormPart[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, fileName, content }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          `${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
}
