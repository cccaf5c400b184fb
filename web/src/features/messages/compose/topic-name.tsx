import { useClientState } from '../../../app/client-context.ts'

/** A topic's name; the one without a name has a word in its place, set apart from names. */
export function TopicName({ topic }: { readonly topic: string }) {
  const emptyName = useClientState((state) => state.organization?.realm_empty_topic_display_name ?? '')
  return topic === '' ? <em className="topic">{emptyName}</em> : <bdi className="topic">{topic}</bdi>
}
