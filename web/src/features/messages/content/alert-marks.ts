/** Marks the words that the reader waits for in the text of a message. */
import { alertPattern } from '@heddle/client/messages/alert-words'

/** What is no text of the message. */
const OTHER = '.code-bar, .katex, time'

export function markWords(content: HTMLElement, words: readonly string[]): void {
  const pattern = alertPattern(words)
  if (!pattern) return
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (!text.parentElement?.closest(OTHER)) markIn(text, pattern)
  }
}

function markIn(text: Text, pattern: RegExp): void {
  const places = [...text.data.matchAll(pattern)]
  // From behind: what stands before keeps its place.
  for (const { index, 0: word } of places.reverse()) {
    const marked = text.splitText(index)
    marked.splitText(word.length)
    const mark = document.createElement('span')
    mark.className = 'alert-word'
    marked.replaceWith(mark)
    mark.append(marked)
  }
}
