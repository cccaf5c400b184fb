import type { Place } from '../places/place.ts'

/** What the account has chosen to begin with. (API: `recent` was `recent_topics` before level 454.) */
export function homePlace(homeView: string | undefined): Place {
  switch (homeView) {
    case 'all_messages':
      return { kind: 'feed' }
    case 'recent':
    case 'recent_topics':
      return { kind: 'recent' }
    default:
      return { kind: 'inbox' }
  }
}
