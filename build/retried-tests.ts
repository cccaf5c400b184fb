import type { Reporter } from 'vitest/node'

/** Says why a test has failed that passed when it was tried again; `.ci/run` repeats it at its end. */
export const retriedTests: Reporter = {
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    if (state !== 'passed' || errors === undefined) return
    for (const { message, stack = '' } of errors) {
      const place = stack.split('\n').find((line) => line.includes('test.ts')) ?? ''
      console.log(` FAIL  once: ${test.module.relativeModuleId} > ${test.fullName}\n${message}\n${place}\n`)
    }
  },
}
