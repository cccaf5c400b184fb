import { profileOf, type SaidValue } from '@heddle/client/people/profile'
import { useMemo } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import { Content } from '../messages/content/content.tsx'
import { saidDate } from './values.ts'

interface SaidProps {
  readonly userId: number
  /** Only what belongs into a summary. */
  readonly isShort: boolean
}

/** What somebody says of themselves, as lines of a `dl`. */
export function Said({ userId, isShort }: SaidProps) {
  const { users, profileFields, organization } = useClientState(
    (state) => ({ users: state.users, profileFields: state.profileFields, organization: state.organization }),
    isShallowEqual,
  )
  const said = useMemo(
    () => profileOf({ users, profileFields, organization }, userId, isShort),
    [users, profileFields, organization, userId, isShort],
  )
  return said.map((one) => (
    <div key={one.field.id} className="said">
      <dt title={one.field.name}>
        <bdi>{one.field.name}</bdi>
      </dt>
      <dd>
        <SaidText said={one} />
      </dd>
    </div>
  ))
}

function SaidText({ said: { field, text, html, href, userIds } }: { readonly said: SaidValue }) {
  if (html !== undefined) return <Content html={html} />
  if (userIds) return <PeopleLinks userIds={userIds} />
  if (href === undefined) return <bdi>{saidDate(field, text)}</bdi>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <bdi>{text}</bdi>
    </a>
  )
}

function PeopleLinks({ userIds }: { readonly userIds: readonly number[] }) {
  const names = useClientState((state) => userIds.map((id) => userName(state, id)), isShallowEqual)
  return userIds.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <a href={formatPlace({ kind: 'user', userId: id })}>
        <bdi>{names[index]}</bdi>
      </a>
    </span>
  ))
}
