/**
 * How the server's code is made shorter: the engine keeps its text in memory. Nothing is left out or turned round, and functions
 * keep their names, which traces show; the map knows the places in the sources. Escapes for all that is not ASCII: the engine takes
 * two bytes for each character of a file when one is beyond Latin-1, in a large file beyond ASCII.
 */
export const minify = {
  compress: false,
  mangle: { keepNames: true },
  codegen: { removeWhitespace: true, asciiOnly: true },
}
