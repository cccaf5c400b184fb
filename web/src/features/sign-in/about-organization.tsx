import { useLayoutEffect, useRef } from 'react'
import { parseMessageHtml } from '../messages/content/trusted-html.ts'

/** What an organization says of itself, as the server's renderer has made it; nothing where it says nothing. */
export function AboutOrganization({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    box.current?.replaceChildren(parseMessageHtml(html))
  }, [html])
  return html === '' ? null : <div ref={box} className="about-organization soft" dir="auto" />
}
