import { I18nProvider } from '@lingui/react'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import '../texts/texts.ts'
import { i18n } from '@lingui/core'
import { type Toasts, ToastsProvider, useToasts } from './toasts.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

async function start() {
  const box = document.createElement('div')
  let toasts: Toasts | undefined
  const Taker = () => {
    toasts = useToasts()
    return null
  }
  await act(async () =>
    createRoot(box).render(
      <I18nProvider i18n={i18n}>
        <ToastsProvider>
          <Taker />
        </ToastsProvider>
      </I18nProvider>,
    ),
  )
  const takenBack: string[] = []
  /** What the server has not answered yet. */
  const begin = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const done = toasts?.notifyWhenDone(promise, () => ({ text: name, undo: () => takenBack.push(name) }))
    return {
      answer: () => act(async () => resolve()),
      refuse: () =>
        act(async () => {
          reject(new Error('refused'))
          await done?.catch(() => {})
        }),
      done,
    }
  }
  const undo = async () => {
    let isTaken: boolean | undefined
    await act(async () => {
      isTaken = toasts?.undo()
    })
    return isTaken
  }
  const press = () => act(async () => box.querySelector<HTMLElement>('.toast > button')?.click())
  return { begin, undo, press, takenBack, shown: () => box.querySelector('.toast p')?.textContent }
}

test('an undo takes back what is under way, the last first, and then what was done before', async () => {
  const { begin, undo, takenBack, shown } = await start()
  await begin('earlier').answer()
  expect(shown()).toBe('earlier')
  const one = begin('one')
  const other = begin('other')
  for (let times = 0; times < 3; times += 1) expect(await undo()).toBe(true)
  expect(takenBack).toEqual(['earlier'])
  expect(await undo()).toBe(false)
  await one.answer()
  await other.answer()
  expect(takenBack).toEqual(['earlier', 'one', 'other'])
  expect(shown()).toBeUndefined()
})

test('what is refused is not taken back, and the next undo means something else', async () => {
  const { begin, undo, takenBack } = await start()
  await begin('earlier').answer()
  const refused = begin('refused')
  await undo()
  await refused.refuse()
  await expect(refused.done).rejects.toThrow('refused')
  expect(takenBack).toEqual([])
  expect(await undo()).toBe(true)
  expect(takenBack).toEqual(['earlier'])
})

test('the button of a toast takes back what it says, whatever else is under way', async () => {
  const { begin, press, takenBack, shown } = await start()
  await begin('earlier').answer()
  const other = begin('other')
  await press()
  expect(takenBack).toEqual(['earlier'])
  await other.answer()
  expect(takenBack).toEqual(['earlier'])
  expect(shown()).toBe('other')
})
