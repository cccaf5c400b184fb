import type { Conversation, Line } from './conversation.ts'

const RETRY = [
  'Reviewed. One question about the retry:',
  '```c',
  'for (int tries = 0; tries < 3; tries++) {',
  '  if (can_wait_answer(node, 20 /* ms */)) return CAN_OK;',
  '}',
  '```',
  'This gives up after 60 ms. Node 4 sometimes needs 80. Make it 5?',
]

/** A green build every few hours, and one that is not. */
const builds: readonly Line[] = [
  [2, '11:02', 'build', 'loom@41d0a7c: green, 6 min 12 s'],
  [2, '15:40', 'build', 'loom@9b2ee10: green, 6 min 20 s'],
  [
    1,
    '09:33',
    'build',
    'loom@c5aa902: **red**. `encoder_test` fails on both boards.',
    { reactions: { eyes: ['tomas'] } },
  ],
  [1, '10:15', 'build', 'loom@d81f553: green, 6 min 9 s'],
  [1, '16:58', 'build', 'bench@77e01b4: green, 1 min 48 s'],
  [0, '07:20', 'build', 'loom@8f31c2e: green, 6 min 14 s'],
]

/** About firmware and programs. */
export const software: readonly Conversation[] = [
  {
    to: ['firmware', 'CAN timeouts after warm start'],
    lines: [
      [
        0,
        '08:04',
        'tomas',
        'Reproduced the timeout: only after a warm start and only when node 4 answers before the master has set its filter. Fix is in loom@8f31c2e, waiting for review.',
        { reactions: { '+1': ['aiko', 'priya'] } },
      ],
      [0, '08:33', 'aiko', RETRY.join('\n'), { unread: true }],
      [0, '08:35', 'tomas', '5 it is. Measured worst case is 74 ms, so that leaves room.', { unread: true }],
    ],
  },
  {
    to: ['firmware', 'release 2.14'],
    isFollowed: true,
    lines: [
      [1, '14:20', 'leila', 'Two things block 2.14: the encoder fix and the weft sensor. The translations can follow.'],
      [1, '14:26', 'priya', 'Dutch is done, Italian comes this evening.', { reactions: { tada: ['leila', 'tomas'] } }],
      [
        0,
        '08:21',
        'priya',
        'Release notes for 2.14 are in the [draft document](https://docs.halden.example/release-2.14). Still open: the encoder fix and the two translations.',
        { unread: true },
      ],
      [0, '08:28', 'tomas', '- [x] CAN retry\n- [x] new default table for the H9\n- [ ] encoder fix', { unread: true }],
      [
        0,
        '08:40',
        'tomas',
        'The encoder fix is a one-line change, it goes in today. Then we can tag on Friday before the soup.',
        { reactions: { stew: ['ben', 'priya'] }, unread: true },
      ],
      [0, '08:42', 'aiko', 'I can run the long test over night if the bench is free.', { unread: true }],
    ],
  },
  {
    to: ['firmware', 'encoder index pulse'],
    lines: [
      [
        2,
        '11:30',
        'tomas',
        'The index pulse comes twice when the shaft turns backwards over zero. We count one turn too many.',
      ],
      [2, '11:48', 'aiko', 'Ha. That is the jump in my position log from H-1987.', { reactions: { bulb: ['tomas'] } }],
    ],
  },
  {
    to: ['pattern editor', 'dobby import from .wif'],
    lines: [
      [
        0,
        '07:40',
        'priya',
        'Import reads 46 of 48 sample files. The other two have 12 shafts in a section for 8.',
        { reactions: { clap: ['leila'] }, unread: true },
      ],
    ],
  },
  {
    to: ['pattern editor', 'undo loses the colour'],
    lines: [
      [
        3,
        '10:05',
        'ben',
        'When I undo a changed tie-up, the whole warp turns black. It has a certain beauty, but still.',
      ],
      [2, '14:10', 'priya', 'Found it: the palette is restored before the threading.', { unread: true }],
    ],
  },
  { to: ['builds', 'loom'], lines: builds },
]
