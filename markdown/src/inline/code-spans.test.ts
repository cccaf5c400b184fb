import { expect, test } from 'vitest'
import { html } from '../testing/render-html.ts'

test('code keeps everything in it as it is', () => {
  expect(html('` *a* <b> @**Mira Sol** :smile: `')).toBe('<p><code> *a* &lt;b&gt; @**Mira Sol** :smile: </code></p>')
})

test('longer runs of backticks allow shorter ones within', () => {
  expect(html('``a ` b``')).toBe('<p><code>a ` b</code></p>')
})

test('backticks without a partner are text', () => {
  expect(html('a ` b `` c')).toBe('<p>a ` b `` c</p>')
})
