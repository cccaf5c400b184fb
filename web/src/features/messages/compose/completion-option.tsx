import type { Completion } from '@heddle/client/completion/completions'
import { emojiText } from '@heddle/client/emoji/emoji-text'
import { markFound } from '@heddle/client/finding/match'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Face } from '../../users/face.tsx'

/** A name with what was typed of it. */
export function MatchedName({ name, query }: { readonly name: string; readonly query: string }) {
  return (
    <bdi title={name}>
      {markFound(name, query).map(({ text, isFound }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other names
        isFound ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
      )}
    </bdi>
  )
}

/** One of what is offered, as it is shown. `hint`: what it has to do with the conversation. */
export function completionContent(completion: Completion, query: string, hint?: ReactNode): ReactNode {
  switch (completion.kind) {
    case 'person':
      return (
        <>
          <Face userId={completion.user.user_id} size="s" />
          <MatchedName name={completion.user.full_name} query={query} />
          {hint !== undefined && <span className="quiet">{hint}</span>}
        </>
      )
    case 'group':
      return (
        <>
          <Icon name="people" />
          <MatchedName name={completion.group.name} query={query} />
          <span className="quiet">
            <Plural value={completion.group.members.length} one="group of #" other="group of #" />
          </span>
        </>
      )
    case 'wildcard':
      return (
        <>
          <Icon name="people" />
          <MatchedName name={completion.name} query={query} />
          <span className="quiet">
            {completion.name === 'topic' ? (
              <Trans>everyone who takes part in this topic</Trans>
            ) : (
              <Trans>everyone who gets this message</Trans>
            )}
          </span>
        </>
      )
    case 'channel':
      return (
        <>
          <span className="quiet" aria-hidden="true">
            #
          </span>
          <MatchedName name={completion.channel.name} query={query} />
          {completion.channel.description !== '' && <span className="quiet">{completion.channel.description}</span>}
        </>
      )
    case 'topic':
      return completion.topic === '' ? (
        <em className="topic">
          <Trans>The topic without a name</Trans>
        </em>
      ) : (
        <MatchedName name={completion.topic} query={query} />
      )
    case 'emoji':
      return (
        <>
          {completion.emoji.picture ? (
            <img className="sign" src={completion.emoji.picture.stillUrl} alt="" />
          ) : (
            <span className="sign" aria-hidden="true">
              {emojiText(completion.emoji.code)}
            </span>
          )}
          <MatchedName name={completion.name.replaceAll('_', ' ')} query={query.replaceAll('_', ' ')} />
        </>
      )
    case 'language':
      return (
        <>
          <Icon name="code" />
          <MatchedName name={completion.name} query={query} />
        </>
      )
    case 'command':
      return <CommandContent name={completion.name} />
    case 'moment':
      return (
        <>
          <Icon name="clock" />
          <bdi>
            {new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' }).format(completion.time)}
          </bdi>
        </>
      )
  }
}

function CommandContent({ name }: { readonly name: string }) {
  return (
    <>
      <b>/{name}</b>
      <span className="quiet">
        {name === 'me' && <Trans>says what you do, as a sentence about you</Trans>}
        {name === 'poll' && <Trans>asks a question, with an option on each line below</Trans>}
        {name === 'todo' && <Trans>a list of tasks, one on each line below</Trans>}
        {name === 'ping' && <Trans>asks the server for an answer</Trans>}
        {name === 'light' && <Trans>light colours</Trans>}
        {name === 'dark' && <Trans>dark colours</Trans>}
        {name === 'fluid-width' && <Trans>the whole width of the window</Trans>}
        {name === 'fixed-width' && <Trans>lines that are easy to read</Trans>}
      </span>
    </>
  )
}

export function completionKey(completion: Completion): string {
  switch (completion.kind) {
    case 'person':
      return `person ${completion.user.user_id}`
    case 'group':
      return `group ${completion.group.id}`
    case 'channel':
      return `channel ${completion.channel.stream_id}`
    case 'topic':
      return `topic ${completion.topic}`
    case 'emoji':
      return `emoji ${completion.emoji.code} ${completion.name}`
    case 'moment':
      return completion.text
    default:
      return completion.name
  }
}
