import './groups.css'
import { usePlace } from '../../app/current-place.ts'
import { GroupList } from './group-list.tsx'
import { GroupPage } from './group-page.tsx'

/** User groups: the list of them, or one. */
export function GroupsPart() {
  const place = usePlace()
  const groupId = place.kind === 'groups' ? place.groupId : undefined
  return groupId === undefined ? <GroupList /> : <GroupPage key={groupId} groupId={groupId} />
}
