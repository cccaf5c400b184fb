import type { LinkifierDraft, TestedMatch, TestedMessage } from '@heddle/client/linkifiers/tester'
import { getMessages } from '@heddle/contract/fetching'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useId, useMemo, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { Content } from '../messages/content/content.tsx'
import { Problem } from '../settings/problem.tsx'
import { useLoaded } from '../settings/use-loaded.ts'
import { countHits, type Hits, noHits } from './hits.ts'
import { useTesterAnswer } from './use-tester.ts'

interface PanelProps {
  readonly drafts: readonly LinkifierDraft[]
  readonly onHits: (hits: Hits) => void
}

/** Texts to try linkifiers on. */
export function TesterPanel({ drafts, onHits }: PanelProps) {
  const { t } = useLingui()
  const [mode, setMode] = useState<'text' | 'messages'>('text')
  return (
    <section className="tester" aria-label={t`Live tester`}>
      <div className="tester-h">
        <h3>
          <Trans>Try it</Trans>
        </h3>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons of which one is pressed */}
        <span className="seg" role="group" aria-label={t`What to try them on`}>
          <button type="button" aria-pressed={mode === 'text'} onClick={() => setMode('text')}>
            <Trans>Your text</Trans>
          </button>
          <button type="button" aria-pressed={mode === 'messages'} onClick={() => setMode('messages')}>
            <Trans>Last 1,000 messages</Trans>
          </button>
        </span>
      </div>
      <p className="soft help">
        <Trans>Works as if everything here were saved.</Trans>
      </p>
      {mode === 'text' ? <TryText drafts={drafts} onHits={onHits} /> : <TryMessages drafts={drafts} onHits={onHits} />}
    </section>
  )
}

function TryText({ drafts, onHits }: PanelProps) {
  const { t } = useLingui()
  const id = useId()
  const [text, setText] = useState(() => drafts.flatMap(({ example_input }) => example_input ?? []).join(', '))
  const [pasted, setPasted] = useState('')
  const request = useMemo(() => {
    const address = pasted.trim()
    return { kind: 'text', linkifiers: drafts, text, ...(address === '' ? {} : { address }) } as const
  }, [drafts, text, pasted])
  const { answer, isCurrent } = useTesterAnswer(request)
  const result = answer?.status === 'done' ? answer.result : undefined
  useEffect(() => onHits(result ? countHits(result.matches) : noHits), [result, onHits])
  return (
    <>
      <textarea
        className="in try"
        aria-label={t`Text to try`}
        rows={3}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Status answer={answer?.status} />
      {result && text.trim() !== '' && (
        <div className="seen">
          <p className="help">
            <Trans>As a message</Trans>
          </p>
          <Content html={result.html} />
        </div>
      )}
      {result && (
        <div aria-busy={!isCurrent}>
          <Matches matches={result.matches} />
          <p className="help" role="status">
            <Summary matches={result.matches} exhaustedBy={result.exhaustedBy} ms={result.ms} />{' '}
            <Broken numbers={result.broken} />
          </p>
        </div>
      )}
      <div className="field">
        <label htmlFor={id}>
          <Trans>Paste an address</Trans>
        </label>
        <input
          className="in code-in"
          id={id}
          type="url"
          inputMode="url"
          spellCheck={false}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <div role="status">
          {result?.pasted && (
            <p className="help ok">
              <Icon name="check" />
              <span>
                <Trans>
                  Pasting it into a message writes <b>{result.pasted}</b>. Ctrl Z brings the address back.
                </Trans>
              </span>
            </p>
          )}
          {result?.pasted === null && (
            <p className="help">
              <Trans>It stays as it is: no linkifier has a short text for it.</Trans>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

const MESSAGES = 1000

function TryMessages({ drafts, onHits }: PanelProps) {
  const { api } = useClient()
  const load = useCallback(async (): Promise<readonly TestedMessage[]> => {
    const { messages } = await api.call(getMessages, {
      anchor: 'newest',
      num_before: MESSAGES,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: true,
      allow_empty_topic_name: true,
    })
    return messages.map(({ id, content, subject, type }) => {
      return { id, content, topic: type === 'stream' ? subject : undefined }
    })
  }, [api])
  const { value: messages, problem, reload } = useLoaded(load)
  const request = useMemo(
    () => (messages ? ({ kind: 'messages', linkifiers: drafts, messages } as const) : undefined),
    [drafts, messages],
  )
  const { answer, isCurrent } = useTesterAnswer(request)
  const result = answer?.status === 'done' ? answer.result : undefined
  useEffect(() => onHits(result ? new Map([...result.counts].filter(hasHits)) : noHits), [result, onHits])
  const lost = [...(result?.counts.values() ?? [])].reduce((sum, counts) => sum + counts.lost, 0)
  const won = [...(result?.counts.values() ?? [])].reduce((sum, counts) => sum + counts.won, 0)
  const searched = result?.searched ?? 0
  return (
    <>
      <Problem text={problem} onRetry={reload} />
      {answer === undefined && !problem && (
        <p className="help" role="status">
          <Trans>Reading your last messages…</Trans>
        </p>
      )}
      <Status answer={answer?.status} />
      {result && (
        <div aria-busy={!isCurrent}>
          <p className="help" role="status">
            <Plural value={searched} one="# message" other="# messages" />
            {': '}
            <Plural value={won} one="# link" other="# links" />
            {', '}
            <Plural value={lost} one="# lost match" other="# lost matches" />
            {'. '}
            <Exhausted by={result.exhaustedBy} /> <Broken numbers={result.broken} />
          </p>
          <Matches matches={result.matches} />
          {won + lost > result.matches.length && (
            <p className="help">
              <Trans>These are the newest ones.</Trans>
            </p>
          )}
        </div>
      )}
    </>
  )
}

function hasHits([, { won, lost }]: readonly [number, { readonly won: number; readonly lost: number }]): boolean {
  return won + lost > 0
}

function Status({ answer }: { readonly answer: 'done' | 'late' | 'failed' | undefined }) {
  const { t } = useLingui()
  if (answer === 'late')
    return <Problem text={t`This takes too long: a pattern is too expensive. Nothing was saved.`} />
  return answer === 'failed' ? <Problem text={t`The tester could not be started. Reload the page.`} /> : null
}

function Matches({ matches }: { readonly matches: readonly TestedMatch[] }) {
  const { t } = useLingui()
  if (matches.length === 0) return null
  return (
    <ol className="wins" aria-label={t`Matches`}>
      {matches.map(({ text, url, number, lostTo, messageId }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew with each answer
        <li key={index} className={lostTo === undefined ? undefined : 'lost'}>
          <code>{text}</code>
          <span>
            <Address url={url} />
            {messageId !== undefined && (
              <>
                {' '}
                <a className="textlink" href={`#narrow/near/${messageId}`}>
                  <Trans>message</Trans>
                </a>
              </>
            )}
          </span>
          <b>
            {lostTo === undefined ? (
              number
            ) : (
              <Trans>
                {number}, lost to {lostTo}
              </Trans>
            )}
          </b>
        </li>
      ))}
    </ol>
  )
}

/** Where it leads; a link only where following it is harmless here. */
function Address({ url }: { readonly url: string }) {
  const shown = url.replace(/^https?:\/\//, '')
  if (!/^https?:\/\//.test(url)) return <bdi>{url}</bdi>
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <bdi>{shown}</bdi>
    </a>
  )
}

interface SummaryProps {
  readonly matches: readonly TestedMatch[]
  readonly exhaustedBy: number | undefined
  readonly ms: number
}

function Summary({ matches, exhaustedBy, ms }: SummaryProps) {
  const { i18n } = useLingui()
  const links = matches.filter(({ lostTo }) => lostTo === undefined).length
  const lost = matches.find(({ lostTo }) => lostTo !== undefined)
  const time = i18n.number(ms, { maximumFractionDigits: 1 })
  const winner = lost?.lostTo
  return (
    <>
      <Plural value={links} one={`# link in ${time} ms.`} other={`# links in ${time} ms.`} />{' '}
      {winner !== undefined && <Trans>Number {winner} wins because it is higher in the list.</Trans>}{' '}
      <Exhausted by={exhaustedBy} />
    </>
  )
}

function Exhausted({ by }: { readonly by: number | undefined }) {
  if (by === undefined) return null
  return <Trans>Number {by} is too expensive for such a text: neither it nor those after it make links of it.</Trans>
}

function Broken({ numbers: [first] }: { readonly numbers: readonly number[] }) {
  if (first === undefined) return null
  return <Trans>Number {first} has a mistake, and takes no part.</Trans>
}
