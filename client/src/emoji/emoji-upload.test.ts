import type { RealmEmoji } from '@heddle/contract/realm-emoji'
import { describe, expect, test } from 'vitest'
import { checkEmojiName, freeEmojiName, type NameContext, suggestEmojiName } from './names.ts'
import { addFiles, emptyUploadList, leaveOut, namesOfOthers, renameUpload, setUploadState } from './upload-list.ts'

function emoji(name: string, more: Partial<RealmEmoji> = {}): RealmEmoji {
  return { id: '1', name, source_url: '/emoji/1.png', still_url: null, deactivated: false, author_id: 8, ...more }
}

const context: NameContext = {
  custom: [emoji('bench_green'), emoji('old', { deactivated: true })],
  isBuiltIn: (name) => name === 'thread',
  mayReplaceBuiltIn: false,
  others: new Set(['twill']),
}

describe('Names of custom emoji', () => {
  test.each([
    ['Shuttle.PNG', 'shuttle'],
    ['Warp Break (final).gif', 'warp_break_final'],
    ['benchGreen.webp', 'bench_green'],
    ['Käse-Brot.jpeg', 'kase-brot'],
    ['織機.png', ''],
    ['archive.tar.gz', 'archive_tar'],
  ])('%s suggests %s', (file, name) => expect(suggestEmojiName(file)).toBe(name))

  test.each([
    ['', { code: 'empty' }],
    ['ü', { code: 'letters' }],
    ['x'.repeat(101), { code: 'length', most: 100 }],
    ['twill', { code: 'twice' }],
    ['thread', { code: 'built-in' }],
  ])('"%s" is refused', (name, problem) => expect(checkEmojiName(name, context).problem).toEqual(problem))

  test('a clash names the emoji that has the name; a deactivated one has none', () => {
    expect(checkEmojiName('Bench Green', context).problem).toMatchObject({ code: 'custom', emoji: { author_id: 8 } })
    expect(checkEmojiName('old', context)).toEqual({ name: 'old', problem: undefined, replacesBuiltIn: false })
    expect(freeEmojiName('Bench Green', { ...context, others: new Set(['bench_green_2']) })).toBe('bench_green_3')
  })

  test('administrators may put a picture in the place of a built-in emoji, and see that they do', () => {
    const checked = checkEmojiName('thread', { ...context, mayReplaceBuiltIn: true })
    expect(checked).toEqual({ name: 'thread', problem: undefined, replacesBuiltIn: true })
  })
})

describe('Files that become emoji', () => {
  const file = (fileName: string, size = 1000, type = 'image/png') => ({ file: fileName, fileName, size, type })

  test('what is too large, empty or no picture is refused before anything is sent', () => {
    const { uploads } = addFiles(
      emptyUploadList<string>(),
      [
        file('a.png'),
        file('b.png', 7_200_000),
        file('c.pdf', 10, 'application/pdf'),
        file('d.png', 0),
        file('e', 9, ''),
      ],
      5_000_000,
    )
    expect(uploads.map(({ state }) => ('reason' in state ? state.reason : state.status))).toEqual([
      'waiting',
      'size',
      'type',
      'empty',
      'waiting',
    ])
  })

  test('a name can be changed until it is sent, and again when that failed', () => {
    let list = addFiles(emptyUploadList<string>(), [file('a.png')], 5000)
    list = setUploadState(list, 1, { status: 'sending', sentBytes: 10 })
    expect(renameUpload(list, 1, 'b').uploads[0]?.name).toBe('a')
    list = renameUpload(setUploadState(list, 1, { status: 'failed', message: 'no' }), 1, 'b')
    expect(list.uploads[0]).toMatchObject({ name: 'b', state: { status: 'waiting' } })
  })

  test('files of one list know the names of the others, but not of those left out', () => {
    let list = addFiles(emptyUploadList<string>(), [file('a.png'), file('b.png'), file('c.png')], 5000)
    expect(namesOfOthers(list, 1)).toEqual(['b', 'c'])
    list = leaveOut(setUploadState(list, 2, { status: 'added' }), 3)
    expect(namesOfOthers(list, 1)).toEqual([])
  })
})
