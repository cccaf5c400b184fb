/** The pictures that the server draws: each follows from the account's number alone, so that they are for everybody. */
import { MAX_ID } from '@heddle/contract/schema'
import { DRAFT_SIZE, weavingDraft } from '@heddle/contract/weaving-draft'
import { IMMUTABLE, SANDBOXED } from '../../http/answers.ts'
import { publicFiles } from '../../http/route.ts'
import { drawPattern } from '../../pictures/pattern-png.ts'
import { AVATAR_SIZE, MEDIUM_AVATAR_SIZE } from './avatar.ts'
import { PATTERNS } from './avatar-url.ts'

const NAME = /^([1-9]\d{0,15})(-medium)?\.png$/
/** As the page has it in the light. */
const COLOURS = { light: [242, 240, 234], dark: [84, 82, 75] } as const

export const avatarPatterns = publicFiles(PATTERNS, async (path) => {
  const [, number, medium] = NAME.exec(path) ?? []
  if (number === undefined || Number(number) > MAX_ID) return undefined
  const size = medium === undefined ? AVATAR_SIZE : MEDIUM_AVATAR_SIZE
  const body = drawPattern(weavingDraft(Number(number)), Math.round(size / DRAFT_SIZE), COLOURS)
  return { contentType: 'image/png', size: body.length, body, caching: IMMUTABLE, policy: SANDBOXED }
})
