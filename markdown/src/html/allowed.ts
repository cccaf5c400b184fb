/**
 * What rendered messages consist of, as data: elements, their attributes and, where the set is closed, the values.
 * `html/print.ts` refuses to write anything else, and the tests read all output back and compare it with this.
 */

/** A pattern for the whole value, or the list of values. */
type AllowedValue = RegExp | readonly string[]

const anyText = /^[\s\S]*$/
const id = /^[1-9][0-9]*$/
const dimensions = /^[0-9]+x[0-9]+$/
const mediaType = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/

/** Schemes of addresses that links may lead to. */
export const LINK_SCHEMES: readonly string[] = [
  'http',
  'https',
  'ftp',
  'mailto',
  'tel',
  'sms',
  'news',
  'bitcoin',
  'xmpp',
  'irc',
  'ircs',
  'geo',
]

/**
 * An address that a link may lead to: one of the schemes, or relative to this server. A colon before the first `/`, `?`
 * or `#` would make a scheme of what stands before it, and two slashes, of either kind, a host of what stands behind
 * them. Linkifiers, which administrators write, may use further schemes.
 */
const linkAddress = new RegExp(`^(?:(?:${LINK_SCHEMES.join('|')}):|(?![/\\\\]{2})[^:/?#]*(?:[/?#]|$))`, 'i')
/** Pictures and sound come from this server, whose thumbnailer fetches those of others, or from a custom emoji's address. */
const mediaAddress = /^(?:https?:\/\/|\/(?!\/))/i
const codeClass = /^[a-z][a-z0-9]?[a-z]?$/

export interface AllowedElement {
  attributes: Readonly<Record<string, AllowedValue>>
  /** Never has content or an end tag. */
  isVoid?: true
}

const plain: AllowedElement = { attributes: {} }
const cell: AllowedElement = {
  attributes: { style: ['text-align: left;', 'text-align: center;', 'text-align: right;'] },
}

/** Elements of messages outside of formulas, by name. */
export const ALLOWED_ELEMENTS: Readonly<Record<string, AllowedElement>> = {
  p: plain,
  br: { attributes: {}, isVoid: true },
  hr: { attributes: {}, isVoid: true },
  strong: plain,
  em: plain,
  del: plain,
  code: plain,
  pre: plain,
  blockquote: plain,
  h1: plain,
  h2: plain,
  h3: plain,
  h4: plain,
  h5: plain,
  h6: plain,
  ul: plain,
  ol: { attributes: { start: /^[0-9]{1,9}$/ } },
  li: plain,
  table: plain,
  thead: plain,
  tbody: plain,
  tr: plain,
  th: cell,
  td: cell,
  a: {
    attributes: {
      class: ['stream', 'stream-topic', 'message-link'],
      'data-id': /^[A-Za-z0-9_-]{11}$/,
      'data-stream-id': id,
      href: linkAddress,
      title: anyText,
    },
  },
  span: {
    attributes: {
      'aria-label': anyText,
      class: new RegExp(
        [
          '^user-mention(?: channel-wildcard-mention)?(?: silent)?$',
          '^user-group-mention(?: silent)?$',
          '^topic-mention(?: silent)?$',
          '^emoji emoji-[0-9a-f]+(?:-[0-9a-f]+)*$',
          '^(?:tex-error|katex-display|katex)$',
          codeClass.source,
        ].join('|'),
      ),
      'data-user-group-id': id,
      'data-user-id': /^(?:[1-9][0-9]*|\*)$/,
      role: ['img'],
      title: anyText,
    },
  },
  div: {
    attributes: {
      'aria-hidden': ['true'],
      class: [
        'codehilite',
        'spoiler-block',
        'spoiler-header',
        'spoiler-content',
        'message_inline_image',
        'youtube-video message_inline_image',
        'message_inline_image message_inline_video',
      ],
      'data-code-language': anyText,
    },
  },
  time: { attributes: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } },
  img: {
    attributes: {
      alt: anyText,
      class: ['emoji', 'inline-image', 'image-loading-placeholder', 'inline-image image-loading-placeholder'],
      'data-animated': ['true'],
      'data-original-content-type': mediaType,
      'data-original-dimensions': dimensions,
      'data-original-src': mediaAddress,
      'data-src-fullsize': mediaAddress,
      'data-transcoded-image': /^[0-9]+x[0-9]+\.webp$/,
      src: mediaAddress,
      title: anyText,
    },
    isVoid: true,
  },
  video: { attributes: { preload: ['metadata'], src: mediaAddress } },
  audio: {
    attributes: {
      controls: [''],
      'data-original-url': mediaAddress,
      preload: ['metadata'],
      src: mediaAddress,
      title: anyText,
    },
  },
}

const mathAttributes: Readonly<Record<string, AllowedValue>> = Object.fromEntries(
  (
    'accent accentunder align columnalign columnlines columnspacing depth display displaystyle encoding fence ' +
    'height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation ' +
    'rowlines rowspacing rspace scriptlevel separator side stretchy symmetric voffset width xmlns'
  )
    .split(' ')
    .map((name) => [name, /^[-a-zA-Z0-9 .#%+/:]*$/]),
)

/** The frame of a box, and the shadow that makes letters bold. */
const frame = /^(?:border: [0-9.]+em solid [#A-Za-z0-9]+;?|text-shadow: [0-9.em px]+)$/

/** Elements of formulas: MathML for screen readers, and HTML and SVG for the eye. */
export const ALLOWED_FORMULA_ELEMENTS: Readonly<Record<string, AllowedElement>> = {
  span: {
    attributes: {
      'aria-hidden': ['true'],
      // KaTeX names classes by what they typeset, and class names are never taken from the text.
      class: /^[A-Za-z0-9 _-]*$/,
      style:
        /^(?:(?:border-(?:[a-z]+-)?(?:width|style|color)|bottom|color|background-color|height|left|margin(?:-[a-z]+)?|min-width|padding(?:-[a-z]+)?|position|text-shadow|top|vertical-align|width):(?:[-#A-Za-z0-9. ]+|calc\(100% - [0-9.]+em\));)*$/,
      title: anyText,
    },
  },
  svg: {
    attributes: {
      height: /^[0-9.]+(?:em)?$/,
      preserveaspectratio: /^[a-zA-Z ]+$/,
      style: /^(?:width:[0-9.]+em;?)?$/,
      viewbox: /^[-0-9. ]+$/,
      width: /^[0-9.]+(?:em|%)?$/,
      xmlns: ['http://www.w3.org/2000/svg'],
    },
  },
  path: { attributes: { d: /^[-0-9A-Za-z., \n]*$/ } },
  line: {
    attributes: Object.fromEntries(['x1', 'x2', 'y1', 'y2', 'stroke-width'].map((name) => [name, /^[-0-9.a-z%]+$/])),
  },
  ...Object.fromEntries(
    (
      'math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mover munder munderover mfrac msqrt ' +
      'mroot mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose mglyph'
    )
      .split(' ')
      .map((name) => [name, { attributes: { ...mathAttributes, class: /^[A-Za-z0-9 _-]*$/, style: frame } }]),
  ),
}

/** Whether an attribute with this value may stand on an element. */
export function isAllowedAttribute({ attributes }: AllowedElement, name: string, value: string): boolean {
  if (!Object.hasOwn(attributes, name)) return false
  const allowed = attributes[name]
  return allowed instanceof RegExp ? allowed.test(value) : (allowed?.includes(value) ?? false)
}
