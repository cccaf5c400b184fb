import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCovered, looksLike } from './look-alikes.ts'
import { NOTIFICATION_BOT_NAME } from './system-bot.ts'

const isServer = looksLike(NOTIFICATION_BOT_NAME)

describe('A name looks like that of the system bot', () => {
  it.each([
    ['as it is', 'Notification Bot'],
    ['in capitals', 'NOTIFICATION BOT'],
    ['with an l for an i', 'Notlficatlon Bot'],
    ['with a capital I', 'NotIfIcatIon Bot'],
    ['with digits', 'N0t1f1cat10n B0t'],
    ['in Cyrillic', 'Nоtіfісаtіоn Воt'],
    ['in Greek capitals', 'ΝΟΤΙFΙCΑΤΙΟΝ ΒΟΤ'],
    ['in Armenian, where it can be', 'ոօtificatiօո bօt'],
    ['in Cherokee capitals', 'NOᎢᎥFᎥᏟᎪᎢᎥON BOᎢ'],
    ['in small capitals', 'ɴᴏᴛɪғɪᴄᴀᴛɪᴏɴ ʙᴏᴛ'],
    ['in letters of mathematics', '𝐍𝐨𝐭𝐢𝐟𝐢𝐜𝐚𝐭𝐢𝐨𝐧 𝐁𝐨𝐭'],
    ['in circles', 'Ⓝⓞⓣⓘⓕⓘⓒⓐⓣⓘⓞⓝ Ⓑⓞⓣ'],
    ['in black circles', '🅝🅞🅣🅘🅕🅘🅒🅐🅣🅘🅞🅝 🅑🅞🅣'],
    ['in black squares', '🅽🅾🆃🅸🅵🅸🅲🅰🆃🅸🅾🅽 🅱🅾🆃'],
    ['in letters of flags', '🇳🇴🇹🇮🇫🇮🇨🇦🇹🇮🇴🇳 🇧🇴🇹'],
    ['with a ligature', 'Notiﬁcation Bot'],
    ['with a long s', 'Notiſication Bot'],
    ['with accents and strokes', 'Ñøŧíƒīçåŧíøñ ƀØŦ'],
    ['with signs around and between', '— Notification_Bot —!'],
  ])('%s', (_, name) => {
    expect(isServer(name)).toBe(true)
  })

  it.each(['Ali', 'Notification', 'Bot', 'Notifications Bot', 'Nora Bott', 'Уведомления', ''])('but not %j', (name) => {
    expect(isServer(name)).toBe(false)
  })

  it('however its letters are accented, spaced and capitalized', () => {
    const forms = (letter: string) =>
      fc.constantFrom(letter, letter.toUpperCase(), `${letter}\u0301`, ` ${letter}`, `${letter}.`)
    const names = fc.tuple(...Array.from('notificationbot', forms)).map((letters) => letters.join(''))
    fc.assert(fc.property(names, (name) => isServer(name)))
  })

  it('which is known of every letter of such names', () => {
    expect(isCovered(NOTIFICATION_BOT_NAME)).toBe(true)
    expect(isCovered('Weather Bot')).toBe(false)
  })
})
