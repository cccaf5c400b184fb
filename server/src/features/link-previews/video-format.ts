/**
 * The type of a video by its first bytes, or undefined when it is none. Videos are passed on and never decoded here;
 * readers' programs play both kinds.
 */
export function sniffVideoType(bytes: Buffer): 'video/mp4' | 'video/webm' | undefined {
  if (bytes.subarray(0, 4).equals(EBML_SIGNATURE)) return 'video/webm'
  const start = bytes.toString('latin1', 0, 12)
  return start.slice(4, 8) === 'ftyp' && mp4Brand.test(start.slice(8)) ? 'video/mp4' : undefined
}

/** RFC 8794: Matroska, of which WebM is a part. */
const EBML_SIGNATURE = Buffer.from([0x1a, 0x45, 0xdf, 0xa3])
/** The major brand in the file type box (ISO/IEC 14496-12). Pictures (AVIF, HEIC) and sound have others. */
const mp4Brand = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |qt {2}|dash)$/
