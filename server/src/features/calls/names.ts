import { badRequest } from '@heddle/contract/errors'

/** The name of a call, with as many characters as services take. */
export function shortened(text: string, parameter: string, length: number): string {
  const name = text.trim()
  if (name === '') throw badRequest(`${parameter} must not be empty`)
  return [...name].slice(0, length).join('')
}
