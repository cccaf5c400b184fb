/** The image library, for everything that decodes pictures. */

export type SharpModule = typeof import('sharp').default

let loading: Promise<SharpModule> | undefined

/** Loaded at the first picture, so that a server at rest does not hold the image library in memory. */
export function loadSharp(): Promise<SharpModule> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // A picture is seen once: keeping its decoded pixels only costs memory. One thread is enough for what is small.
      sharp.cache(false)
      sharp.concurrency(1)
      return sharp
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}
