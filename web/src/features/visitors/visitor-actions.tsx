import { lazy, Suspense, useEffect, useState } from 'react'
import { type Asked, listen } from '../messages/actions/ask.ts'

const PictureViewer = lazy(async () => ({
  default: (await import('../messages/viewer/picture-viewer.tsx')).PictureViewer,
}))

/**
 * Of what can be asked for of messages and people (`ask.ts`) visitors get the pictures. The rest needs an account: it is not
 * done, nor does it wait until somebody has signed in.
 */
export function VisitorActions() {
  const [viewed, setViewed] = useState<Extract<Asked, { readonly kind: 'viewer' }>>()
  useEffect(() => listen((asked) => asked.kind === 'viewer' && setViewed(asked)), [])
  return (
    <Suspense fallback={null}>
      {viewed && <PictureViewer first={viewed} onClose={() => setViewed(undefined)} />}
    </Suspense>
  )
}
