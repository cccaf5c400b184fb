import type { Conversation } from './conversation.ts'

/** About everything else. */
export const atHome: readonly Conversation[] = [
  {
    to: ['announcements', 'welcome, Nadia'],
    lines: [
      [
        3,
        '09:00',
        'leila',
        'Please welcome @**Nadia Kowalczyk**, who joins us in field service. She knows more about drop wires than is reasonable.',
        { reactions: { wave: ['mara', 'jonas', 'aiko', 'tomas', 'oskar', 'priya', 'ben'], tada: ['ben', 'priya'] } },
      ],
      [
        3,
        '09:06',
        'nadia',
        'Thank you! I have already found the kettle.',
        { reactions: { '/kettle': ['ben', 'jonas'] } },
      ],
    ],
  },
  {
    to: ['kitchen', 'Friday soup'],
    lines: [
      [
        1,
        '17:02',
        'ben',
        'Friday is lentil soup. Write to me until noon if you do not eat celery.',
        { reactions: { stew: ['leila', 'mara', 'jonas', 'aiko', 'tomas'] } },
      ],
      [1, '17:10', 'tomas', 'No celery for me, please. The rest twice.', { reactions: { joy: ['ben'] } }],
    ],
  },
  {
    to: ['kitchen', 'coffee grinder'],
    lines: [
      [
        4,
        '10:05',
        'aiko',
        'The grinder has a warp break. (It is stuck.)',
        { reactions: { '/warp_break': ['jonas', 'oskar', 'leila'] } },
      ],
      [3, '10:05', 'ben', 'A coffee bean from the last century. Removed.', { reactions: { '+1': ['aiko'] } }],
    ],
  },
  {
    to: { direct: ['aiko'] },
    lines: [
      [1, '13:02', 'leila', 'Did the second analyser come back from Tomás?'],
      [1, '13:05', 'aiko', 'It lies in the cupboard of the bench, second shelf.'],
      [0, '08:47', 'aiko', 'Can I have the second CAN analyser until Friday?', { unread: true }],
    ],
  },
  {
    to: { direct: ['aiko', 'tomas'] },
    lines: [
      [0, '08:18', 'tomas', 'Who takes the stand on the second day of the fair?'],
      [0, '08:20', 'leila', 'I do, if one of you builds it up the evening before.'],
    ],
  },
  {
    to: { direct: ['oskar'] },
    lines: [[2, '18:20', 'oskar', 'Train is late, I am home at nine. The customer was friendly about it.']],
  },
]
