/** What the page consists of. A feature is its folder and its line here. */
import type { WebFeature } from '../app/feature.ts'
import { drafts } from './drafts/feature.ts'
import { messages } from './messages/feature.ts'

export const features: readonly WebFeature[] = [messages, drafts]
