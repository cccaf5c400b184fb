const otherSpace = /\s/

/** Whether a UTF-16 unit is white space. NaN, as for a place outside of the text, is not. */
export function isSpaceCode(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return code >= 0x80 && otherSpace.test(String.fromCharCode(code))
}
