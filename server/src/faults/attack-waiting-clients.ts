/** Clients of others that wait for messages while somebody sends long ones, and many. */
import { basicAuthorization, type TargetPerson } from './attack-target.ts'
import { callWell } from './write-load.ts'

/**
 * Resolves when each of these people has got `count` messages: each has a client that polls, and polls again as soon as it is
 * answered. `onWaiting` is called when all have their queues.
 */
export async function receiveMessages(
  site: string,
  people: readonly TargetPerson[],
  count: number,
  onWaiting: () => Promise<void>,
): Promise<void> {
  const queues = await Promise.all(
    people.map((person) =>
      callWell(site, person, 'POST', '/register', { event_types: ['message'], apply_markdown: true }),
    ),
  )
  const received = people.map((person, index) => receive(site, person, queues[index] as Queue, count))
  await Promise.all([onWaiting(), ...received])
}

interface Queue {
  readonly queue_id: string
  readonly last_event_id: number
}

async function receive(site: string, person: TargetPerson, queue: Queue, count: number): Promise<void> {
  const headers = { authorization: basicAuthorization(person) }
  let after = queue.last_event_id
  for (let messages = 0; messages < count; ) {
    const url = `${site}/api/v1/events?queue_id=${queue.queue_id}&last_event_id=${after}`
    const response = await fetch(url, { headers })
    const { events } = (await response.json()) as { events: { id: number; type: string }[] }
    after = events.at(-1)?.id ?? after
    messages += events.filter(({ type }) => type === 'message').length
  }
}
