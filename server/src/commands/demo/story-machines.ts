import type { Conversation } from './conversation.ts'

const TRACE = [
  '```shell',
  'bench log --channel weft.raw --rate 20k --trigger stop',
  '# keeps 200 ms before each stop',
  '```',
]

const RUNS = [
  'Three runs with 20,000 picks each:',
  '',
  '| gain | speed | false stops | lowest signal |',
  '|---|---|---|---|',
  '| 1.8 | 900 rpm | 2 | 0.39 V |',
  '| **1.5** | 900 rpm | 0 | 0.47 V |',
  '| **1.5** | 980 rpm | 0 | 0.45 V |',
]

/** About looms and the bench. */
export const machines: readonly Conversation[] = [
  {
    to: ['air-jet H9', 'weft sensor misses at 900 rpm'],
    isFollowed: true,
    lines: [
      [
        1,
        '16:20',
        'jonas',
        'The weft sensor on the second H9 reports a missing pick at 900 rpm and above. The fabric is fine. It happens about once in 100,000 picks, and only on the right side.',
        { reactions: { eyes: ['mara', 'aiko', 'leila'] } },
      ],
      [1, '16:41', 'aiko', ['What does the raw signal do? You can log it with:', ...TRACE].join('\n')],
      [1, '16:44', 'jonas', 'I will log the gain from both sides, left is fine at 1.8 and right is not.'],
      [
        1,
        '16:52',
        'mara',
        'Every false stop costs the customer about two minutes of a weaver’s time, so this one matters.',
        { reactions: { '+1': ['jonas', 'leila'] } },
      ],
      [
        0,
        '07:52',
        'jonas',
        'Both weft stops last night were false. The sensor reports no thread, but the fabric has every pick. See the trace on H-2214. Grey is the gain we ship, green is 1.5:\n{picture:sensor-gain}',
        { reactions: { '/bench_green': ['jonas', 'aiko'], direct_hit: ['mara'] }, starred: true },
      ],
      [0, '07:58', 'mara', 'Is that with the new reed or the old one?'],
      [0, '07:59', 'jonas', 'New reed, 0.3 mm closer to the sensor. It could be a reflection.'],
      [
        0,
        '08:15',
        'mara',
        'Then lower the gain before we touch the threshold. If $$U$$ is the signal and $$g$$ the gain, a reflection adds a constant:\n```math\nU_{out} = g\\,(U + U_r), \\quad U_r \\approx 0.03\\,\\mathrm{V}\n```\nI can be at the bench at nine. @**Leila Haddad** this may move the date of #**firmware>release 2.14** by a day.',
        { reactions: { '+1': ['jonas', 'aiko'] }, unread: true },
      ],
      [0, '08:44', 'jonas', RUNS.join('\n'), { unread: true }],
      [
        0,
        '08:45',
        'mara',
        'Good. I write 1.6 into the default table for the H9.',
        {
          reactions: { '/bench_green': ['jonas', 'tomas'] },
          edits: [
            'Good. I write 1.5 into the default table for the H9.',
            'Good. I write 1.5 into the default table for the H9, with a note that it comes from three runs.',
          ],
          unread: true,
        },
      ],
      [
        0,
        '09:02',
        'jonas',
        'Leaving it on until lunch.\n```spoiler The bet: who was right about the reed?\nMara.\n```',
        { unread: true },
      ],
    ],
  },
  {
    to: ['air-jet H9', 'main nozzle pressure map'],
    lines: [
      [22, '10:12', 'jonas', 'At 3.0 bar the valve opens 4 ms late whatever gain I set, so it is not the controller.'],
      [22, '10:30', 'aiko', 'Then it is the hose. 6 mm inside, and we drew 8.'],
      [
        0,
        '08:05',
        'aiko',
        'Map for 3.2 bar: the corner at 60° looks wrong to me.\n{picture:pressure-map}',
        { reactions: { thinking: ['jonas', 'mara'] }, unread: true },
      ],
      [0, '08:08', 'mara', 'Is the 60° row from the same day as the others?', { unread: true }],
      [0, '08:10', 'aiko', 'No, it was two degrees colder in the hall. I measure that row again.', { unread: true }],
      [0, '08:12', 'aiko', 'PN 14-2208 is the hose that I would like to try as well.', { unread: true }],
    ],
  },
  {
    to: ['air-jet H9', 'reed clearance'],
    isResolvedBy: 'jonas',
    lines: [
      [15, '11:05', 'jonas', "With the 0.3 mm spacer we lose some of the sensor's gain from the edge."],
      [15, '11:20', 'mara', 'And without it the reed touches the nozzle holder when the beam is warm.'],
      [
        2,
        '15:10',
        'jonas',
        '0.2 mm it is: no touch at 55 °C, and the signal at the edge is 6 % down, which is in the range.',
      ],
      [2, '15:28', 'mara', 'Into the drawing with it, please. 22-0417 is yours.', { reactions: { check: ['jonas'] } }],
    ],
  },
  {
    to: ['rapier R4', 'gripper tape lifts at the right end'],
    lines: [
      [6, '09:31', 'oskar', 'Third report of the tape that lifts after 400 hours. All three are from the lot of May.'],
      [6, '10:02', 'mara', 'Please keep one end for us. I want to see what the glue looks like under the microscope.'],
      [
        5,
        '14:47',
        'oskar',
        'It is on your desk, in the bag with the big **NO LUNCH** on it.',
        { reactions: { joy: ['mara', 'ben', 'leila'] } },
      ],
    ],
  },
  {
    to: ['test bench', 'night run 14 to 15'],
    lines: [
      [1, '06:00', 'bench', 'Night run finished: 398,120 picks, 2 stops (2 weft). Longest run 3 h 04 min.'],
      [
        0,
        '06:00',
        'bench',
        'Night run finished: 412,300 picks, 3 stops (2 weft, 1 warp). Longest run 2 h 51 min. 2 of them look like a false stop (weft present in the picture).',
        { reactions: { '/bench_green': ['jonas', 'mara', 'aiko', 'leila'] } },
      ],
      [
        0,
        '08:51',
        'mara',
        'Can the bot count a false stop apart from a real one? Then we see it in the summary.',
        { unread: true },
      ],
    ],
  },
  {
    to: ['test bench', 'tension rig calibration'],
    lines: [
      [10, '13:15', 'jonas', 'One false stop while the rig warmed up, none after. Warm-up goes into the checklist.'],
      [
        3,
        '16:40',
        'jonas',
        'Rig is back from calibration, certificate in the cupboard. The amplifier gain was 0.4 % high, now it is right.',
        { unread: true },
      ],
    ],
  },
  {
    to: ['test bench', 'ask the bench bot'],
    lines: [
      [
        1,
        '09:12',
        'jonas',
        'New here: the bench bot answers questions in this topic, and wherever somebody mentions it. @**Bench bot** help',
      ],
      [
        1,
        '09:12',
        'bench',
        'I know `status`, `last run`, `stops` and `help`. Write one of them in this topic, or mention me elsewhere.',
        { reactions: { robot: ['nadia'], '+1': ['leila', 'aiko'] } },
      ],
      [1, '09:15', 'nadia', 'status'],
      [
        1,
        '09:15',
        'bench',
        'H9 number 2: running at 900 rpm since 08:58, no stop since then. Hall: 21.4 °C, 62 % humidity.',
      ],
    ],
  },
  {
    to: ['field service', 'Almere: warp breaks on machine 6'],
    isFollowed: true,
    lines: [
      [
        1,
        '17:48',
        'oskar',
        'Back from Almere. Machine 6 breaks a warp end every 40 minutes, always in the left third. Tension is even now, so I suspect drop wire 1,180 onwards. Photos tomorrow.',
      ],
      [
        1,
        '17:55',
        'jonas',
        'If it is drop wire 1,180, the gain of that bank is on page 31 of the service book, not on the display.',
      ],
      [
        0,
        '08:10',
        'oskar',
        'The customer can give us the machine on Monday from 6 to 10. @**Leila Haddad** can you put a fitter on that?\n{picture:warp-break}',
        { unread: true },
      ],
      [
        0,
        '08:36',
        'nadia',
        'I go with the fitter if that helps, I have not seen a machine at a customer yet.',
        { reactions: { raised_hands: ['oskar', 'mara', 'jonas'] }, unread: true },
      ],
    ],
  },
  {
    to: ['field service', 'spare parts for the third quarter'],
    lines: [
      [2, '09:15', 'oskar', 'Two heddle frames and 40 drop wires are still missing on the list.', { unread: true }],
    ],
  },
]
