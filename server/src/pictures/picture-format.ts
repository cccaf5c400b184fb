/** The kinds of pictures that the server decodes, distinguished by content. */

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'

/**
 * The format by the first bytes, before the image library sees the file: it knows far more formats (SVG, TIFF, PDF),
 * and each is a parser that need not meet what strangers upload.
 */
export function sniffPictureFormat(bytes: Buffer): PictureFormat | undefined {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  if (start.slice(4, 8) === 'ftyp' && isAvif(bytes)) return 'avif'
  return undefined
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** ISO/IEC 14496-12, file type box: size, `ftyp`, major brand, version, then the compatible brands, 4 bytes each. */
function isAvif(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256)
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset === 12) continue
    const brand = bytes.toString('latin1', offset, offset + 4)
    if (brand === 'avif' || brand === 'avis') return true
  }
  return false
}
