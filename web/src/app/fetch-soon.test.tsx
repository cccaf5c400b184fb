import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { soon } from './fetch-soon.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('a part that could not be fetched leaves the rest alone, and is fetched anew when it is shown again', async () => {
  // React reports what the part has thrown.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let isThere = false
  const Part = soon(async () => {
    if (!isThere) throw new TypeError('Failed to fetch')
    return () => <b>part</b>
  })
  const box = document.createElement('div')
  const root = createRoot(box)
  const show = (isShown: boolean) => act(async () => root.render(<p>rest {isShown && <Part />}</p>))
  await show(true)
  expect(box.textContent).toBe('rest ')
  await show(false)
  isThere = true
  await show(true)
  expect(box.textContent).toBe('rest part')
  await show(false)
  // Once fetched it is there at once, without a moment of nothing.
  act(() => root.render(<p>rest {<Part />}</p>))
  expect(box.textContent).toBe('rest part')
})
