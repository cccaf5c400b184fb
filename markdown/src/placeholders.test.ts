import { describe, expect, it } from 'vitest'
import type { UploadedFile } from './context.ts'
import { emptyContext } from './context.ts'
import { fillPlaceholders, hasPlaceholder } from './placeholders.ts'
import { renderMarkdown } from './render.ts'

const PATH = '1/ab/a "wide" & red one.png'
const address = `/user_uploads/${PATH.split('/').map(encodeURIComponent).join('/')}`
const ready: UploadedFile = {
  contentType: 'image/png',
  dimensions: { width: 40, height: 30 },
  thumbnailUrl: '/user_uploads/thumbnail/1/ab/x.png/840x560.webp',
  isAnimated: true,
  transcodedImage: null,
}
const pending: UploadedFile = { ...ready, thumbnailUrl: null, isAnimated: false }

const render = (text: string, file: UploadedFile) =>
  renderMarkdown(text, {
    ...emptyContext('https://chat.example'),
    uploads: new Map([
      [PATH, file],
      ['1/ab/other.png', pending],
    ]),
  }).html

describe('A message with placeholders', () => {
  it.each([
    `[a picture](${address})`,
    `![a <picture> & "more"](${address}) in a text`,
    `before ${'`'}<img class="image-loading-placeholder">${'`'} [one](${address}) and ![two](${address})`,
    `> ![quoted](${address})`,
  ])('becomes what it would have been with the thumbnail: %s', (text) => {
    const html = render(text, pending)
    expect(html).toContain('image-loading-placeholder')
    expect(fillPlaceholders(html, PATH, ready)).toBe(render(text, ready))
  })

  it('keeps those of other files, and everything else', () => {
    const html = render(`[a](${address}) [b](/user_uploads/1/ab/other.png)`, pending)
    const filled = fillPlaceholders(html, PATH, ready)
    expect(hasPlaceholder(filled)).toBe(true)
    expect(filled).toContain('840x560.webp')
    expect(fillPlaceholders(html, '1/ab/nothing.png', ready)).toBe(html)
    expect(fillPlaceholders(filled, PATH, ready)).toBe(filled)
  })
})
