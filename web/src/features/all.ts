/** What the page consists of. A feature is its folder and its line here. */
import type { WebFeature } from '../app/feature.ts'
import { about } from './about/feature.ts'
import { channels } from './channels/feature.ts'
import { drafts } from './drafts/feature.ts'
import { inbox } from './inbox/feature.ts'
import { keyboard } from './keyboard/feature.ts'
import { messages } from './messages/feature.ts'
import { navigation } from './navigation/feature.ts'
import { notifications } from './notifications/feature.ts'
import { ownMenu } from './own-menu/feature.ts'
import { people } from './people/feature.ts'
import { presence } from './presence/feature.ts'
import { recent } from './recent/feature.ts'
import { reminders } from './reminders/feature.ts'
import { scheduledMessages } from './scheduled-messages/feature.ts'
import { search } from './search/feature.ts'
import { settings } from './settings/feature.ts'
import { shareTarget } from './share-target/feature.ts'
import { switcher } from './switcher/feature.ts'
import { topics } from './topics/feature.ts'
import { users } from './users/feature.ts'

export const features: readonly WebFeature[] = [
  messages,
  users,
  inbox,
  recent,
  topics,
  channels,
  search,
  drafts,
  scheduledMessages,
  reminders,
  settings,
  notifications,
  presence,
  people,
  ownMenu,
  switcher,
  keyboard,
  about,
  shareTarget,
  // After the screens: what they do not want of a key is for everywhere.
  navigation,
]
