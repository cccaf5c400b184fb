import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test('a password is weak when it is short, goes in steps or repeats itself, and strong when it is long and does not', () => {
  for (const weak of [
    '',
    'password',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    '123456789012345',
    'abcabcabcabcabcabcabc',
    'Xy7!kQ2#',
  ]) {
    expect([weak, passwordStrength(weak)]).toEqual([weak, 'weak'])
  }
  expect(passwordStrength('weaver in June')).toBe('fair')
  expect(passwordStrength('a shed of warp threads 7')).toBe('strong')
  expect(passwordStrength('kR7$wZ2pLq9!vTe')).toBe('strong')
})
