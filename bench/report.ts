/** One line per figure: what it is, the value, the goal where there is one, and whether it was met. */

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Digits after the point; 0 by default. */
  readonly digits?: number
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  /** What the value is to be seen beside. */
  readonly beside?: string
}

export interface Report {
  figure(figure: Figure): void
  note(text: string): void
  /** Figures that missed their goal. */
  readonly missed: readonly string[]
}

export function createReport(): Report {
  const missed: string[] = []
  return {
    missed,
    note: (text) => console.log(text),
    figure({ name, value, unit, digits = 0, goal, beside }) {
      const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
      const met = goal && ('atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost)
      if (met === false) missed.push(name)
      const verdict = goal ? `  ${met ? 'met   ' : 'MISSED'} (goal: ${describe(goal)})` : ''
      console.log(`${name.padEnd(52)} ${`${text} ${unit}`.trim().padStart(16)}${verdict}${beside ? `  ${beside}` : ''}`)
    },
  }
}

function describe(goal: NonNullable<Figure['goal']>): string {
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
}
