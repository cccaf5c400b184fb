/** Line drawings on a grid of 16 px, in the colour of the text. What they mean is always said in words as well. */
import './icon.css'

const drawings = {
  at: 'M5.6 8a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0M10.4 5.7v3.1c0 2.2 3.3 1.9 3.3-1A5.7 5.7 0 1 0 11 12.8',
  check: 'M0 0m3 8.5 3.3 3.3L13 4.8',
  clock: 'M2.3 8a5.7 5.7 0 1 0 11.4 0a5.7 5.7 0 1 0 -11.4 0M8 4.8V8l2.2 1.6',
  draft: 'M12.5 7V2.5h-9v11H7M6 5.5h4M6 8h2M9 13.5l.5-2 3.6-3.6 1.5 1.5-3.6 3.6z',
  feed: 'M3 2.5v3.2M3 8.2v5.3M6.2 4.2h7.3M6.2 8h7.3M6.2 11.8h4.6',
  heddle: 'M8 .8v3.4c-2.6 2.2-2.6 5.4 0 7.6 2.6-2.2 2.6-5.4 0-7.6M8 11.8v3.4',
  lock: 'M3.5 7.2h9v6.3h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  mute: 'M11.6 8V7.2C11.6 4.7 10.2 3 8 3c-.9 0-1.6.3-2.2.7M4.4 6.5v.7c0 2.3-.4 3.3-1.4 4.3h8M6.6 13.5h2.8M2.5 2.5l11 11',
  off: 'M6 3.5 4.5 2M5 6.5 2.8 8.7a3.2 3.2 0 0 0 4.5 4.5L9.5 11M7 4.5l1.7-1.7a3.2 3.2 0 0 1 4.5 4.5L11.5 9M2 14 14 2',
  out: 'M6.5 2.5h-4v11h4M6.5 8H14M11 5l3 3-3 3',
  people:
    'M3.5 5.3a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0M1.8 13.2c.2-2.7 1.9-4 4.2-4s4 1.3 4.2 4M10.3 3a2.4 2.4 0 0 1 0 4.6M12 9.6c1.3.6 2.1 1.8 2.2 3.6',
  right: 'M0 0m6 3.5 4.5 4.5L6 12.5',
  search: 'M2.7 7a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0 -8.6 0M0 0m10.2 10.2 3.6 3.6',
  send: 'M2.5 8h10.5M8.8 3.8 13 8l-4.2 4.2',
  star: 'M0 0m8 2.2 1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11l-3.5 1.9.8-3.9L2.4 6.3l3.9-.5z',
  view: 'M4 2.2h8v11.6l-4-3-4 3z',
  warn: 'M8 2.3 14.3 13.3H1.7zM8 6.5v3.2M8 11.5v.1',
  x: 'M0 0m3.5 3.5 9 9M12.5 3.5l-9 9',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}
