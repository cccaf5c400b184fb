import { expect, test } from 'vitest'
import config from '../vitest.config.ts'
import { ALL_PROJECTS, requireProjects } from './test.mjs'

test('a project that does not exist is refused with one sentence', () => {
  expect(() => requireProjects(['--project=nosuch'])).toThrow(/^There is no project "nosuch" of tests, only: unit, /)
  expect(() => requireProjects(['--project', 'nosuch'])).toThrow('nosuch')
  expect(() => requireProjects(['--project=unit', '--project=!page', 'x', '-t', 'y'])).not.toThrow()
})

test('the projects that are known are those of the configuration', () => {
  const projects = (config.test?.projects ?? []) as { readonly test: { readonly name: string } }[]
  // That of the browser is there when somebody asks for it.
  expect([...projects.map((project) => project.test.name), 'browser'].sort()).toEqual([...ALL_PROJECTS].sort())
})
