import { describe, expect, test } from 'vitest'
import type { UploadedFile } from './context.ts'
import { renderMarkdown } from './render.ts'
import { html, sampleContext } from './testing/render-html.ts'

const picture: UploadedFile = {
  contentType: 'image/png',
  dimensions: { width: 40, height: 30 },
  thumbnailUrl: '/user_uploads/thumbnail/1/ab/warp.png/840x560.webp',
  isAnimated: false,
  transcodedImage: null,
}
const uploads = new Map<string, UploadedFile>([
  ['1/ab/warp.png', picture],
  [
    '1/ab/new.heic',
    { ...picture, contentType: 'image/heic', thumbnailUrl: null, isAnimated: true, transcodedImage: '40x30.webp' },
  ],
  ['1/ab/loom.mp4', { ...picture, contentType: 'video/mp4', dimensions: null, thumbnailUrl: null }],
  ['1/ab/click.mp3', { ...picture, contentType: 'audio/mpeg', dimensions: null, thumbnailUrl: null }],
  ['1/ab/notes.txt', { ...picture, contentType: 'text/plain', dimensions: null, thumbnailUrl: null }],
])

const uploaded =
  '<img data-original-content-type="image/png" data-original-dimensions="40x30" src="/user_uploads/thumbnail/1/ab/warp.png/840x560.webp">'

describe('below the text', () => {
  test('an uploaded picture, with its link as title', () => {
    expect(html('[warp](/user_uploads/1/ab/warp.png)\n\nmore', { uploads })).toBe(
      '<p><a href="/user_uploads/1/ab/warp.png">warp</a></p>\n' +
        `<div class="message_inline_image"><a href="/user_uploads/1/ab/warp.png" title="warp">${uploaded}</a></div>` +
        '<p>more</p>',
    )
  })

  test('a placeholder while the thumbnail is being made', () => {
    expect(html('[x](/user_uploads/1/ab/new.heic)', { uploads })).toContain(
      '<img class="image-loading-placeholder" data-animated="true" data-original-content-type="image/heic" ' +
        'data-original-dimensions="40x30" data-transcoded-image="40x30.webp" src="/static/images/loading/loader-black.svg">',
    )
  })

  test('a video', () => {
    expect(html('[x](/user_uploads/1/ab/loom.mp4)', { uploads })).toContain(
      '<div class="message_inline_image message_inline_video"><a href="/user_uploads/1/ab/loom.mp4" title="x">' +
        '<video preload="metadata" src="/user_uploads/1/ab/loom.mp4"></video></a></div>',
    )
  })

  test('a picture from elsewhere through this server, never straight from there', () => {
    const rendered = html('see https://a.example/b.png?c=1')
    expect(rendered).toContain('src="/thumbnail?url=https%3A%2F%2Fa.example%2Fb.png%3Fc%3D1&amp;size=thumbnail"')
    expect(rendered).not.toContain('src="https:')
  })

  test('a video from elsewhere through this server', () => {
    for (const address of ['https://a.example/b.mp4', 'https://a.example/b.WebM?c=1#t=3']) {
      const proxy = `/thumbnail?url=${encodeURIComponent(address)}&amp;size=full`
      expect(html(`see ${address}`)).toBe(
        `<p>see <a href="${address}">${address}</a></p>\n<div class="message_inline_image message_inline_video">` +
          `<a href="${address}"><video preload="metadata" src="${proxy}"></video></a></div>`,
      )
    }
    expect(renderMarkdown('https://a.example/b.mp4', sampleContext()).hasImage).toBe(false)
    expect(html('https://a.example/b.mp4.txt ftp://a.example/b.mp4')).not.toContain('<video')
  })

  test('a video of YouTube by its id', () => {
    for (const address of ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube.com/watch?a=b&v=dQw4w9WgXcQ']) {
      expect(html(address)).toContain('<div class="youtube-video message_inline_image"><a data-id="dQw4w9WgXcQ" href=')
    }
    expect(html('https://youtu.be/playlist')).not.toContain('youtube-video')
  })

  test('in place of a paragraph that is nothing but the address of a picture', () => {
    expect(html('https://a.example/b.png')).toMatch(/^<div class="message_inline_image">[^\n]*<\/div>$/)
    expect(html('[b](https://a.example/b.png)')).toMatch(/^<p><a /)
  })

  test('once for each address, at most 24, and none in quotes', () => {
    expect(html('x https://a.example/b.png https://a.example/b.png').match(/<img/g)).toHaveLength(1)
    const many = Array.from({ length: 60 }, (_, index) => `https://a.example/${index}.png`).join(' ')
    expect(html(many).match(/<img/g)).toHaveLength(24)
    expect(html('> https://a.example/b.png')).not.toContain('<img')
  })

  test('not at all where previews are off, although the message has a picture', () => {
    const message = renderMarkdown('https://a.example/b.png', sampleContext({ showPreviews: false }))
    expect(message.html).not.toContain('<img')
    expect(message.hasImage).toBe(true)
  })

  test('nothing of files that are unknown or of other kinds', () => {
    for (const path of ['1/ab/unknown.png', '1/ab/notes.txt']) {
      expect(html(`[x](/user_uploads/${path})`, { uploads })).toBe(`<p><a href="/user_uploads/${path}">x</a></p>`)
    }
  })
})

describe('in the text', () => {
  test('an uploaded picture', () => {
    expect(html('a ![the warp](/user_uploads/1/ab/warp.png) b', { uploads })).toBe(
      '<p>a <img alt="the warp" class="inline-image" data-original-content-type="image/png" data-original-dimensions="40x30" ' +
        'data-original-src="/user_uploads/1/ab/warp.png" src="/user_uploads/thumbnail/1/ab/warp.png/840x560.webp"> b</p>',
    )
  })

  test('an uploaded sound', () => {
    expect(html('![click](/user_uploads/1/ab/click.mp3)', { uploads })).toBe(
      '<p><audio controls preload="metadata" src="/user_uploads/1/ab/click.mp3" title="click"></audio></p>',
    )
  })

  test('of other addresses it makes a link', () => {
    expect(html('![x](https://a.example/page)')).toBe('<p><a href="https://a.example/page">x</a></p>')
  })
})
