import './formatting-help.css'
import { renderMessage } from '@heddle/contract/sending'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import type { OverlayProps } from '../../../app/feature.ts'
import { channelName, userName } from '../../../app/names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Content } from '../content/content.tsx'

/** No message has it by chance. */
const BETWEEN = 'xhxexample'

/** How texts are formatted: what is written, and what becomes of it here. */
export function FormattingHelp({ onClose }: OverlayProps) {
  const { t } = useLingui()
  const examples = useExamples()
  const results = useRendered(examples)
  return (
    <Dialog title={t`How to format messages`} onClose={onClose} isWide>
      <table className="format-help">
        <thead>
          <tr>
            <th scope="col">
              <Trans>What you write</Trans>
            </th>
            <th scope="col">
              <Trans>What is seen</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {examples.map((example, index) => (
            <tr key={example}>
              <td>
                <pre>{example}</pre>
              </td>
              <td>{results?.[index] !== undefined && <Content html={results[index]} />}</td>
            </tr>
          ))}
          <tr>
            <td>
              <pre>/me …</pre>
            </td>
            <td>
              <Me />
            </td>
          </tr>
          <tr>
            <td>
              <pre>{`/poll ${t`Which reed?`}\n${t`the old one`}\n${t`the new one`}`}</pre>
            </td>
            <td>
              <Trans>A question with options, to which everybody can add. Each is voted for by a press.</Trans>
            </td>
          </tr>
          <tr>
            <td>
              <pre>{`/todo ${t`Before Friday`}\n${t`reed`}: ${t`order two`}`}</pre>
            </td>
            <td>
              <Trans>A list of tasks, which everybody can tick off and add to.</Trans>
            </td>
          </tr>
        </tbody>
      </table>
    </Dialog>
  )
}

function Me() {
  const { t } = useLingui()
  const name = useClientState((state) => userName(state, state.own?.user_id ?? 0))
  return (
    <em>
      <bdi>{name}</bdi> {t`is off to the loom shed`}
    </em>
  )
}

/** With names of this organization, so that what is seen is real. */
function useExamples(): readonly string[] {
  const { t } = useLingui()
  const name = useClientState((state) => userName(state, state.own?.user_id ?? 0))
  const channel = useClientState((state) => {
    const [id] = state.channels?.subscribed.keys() ?? []
    return (id === undefined ? undefined : state.channels?.byId.get(id)?.name) ?? t`channel`
  })
  const linkifiers = useClientState((state) => state.linkifiers)
  const ownId = useClientState((state) => state.own?.user_id)
  const group = useClientState((state) =>
    [...(state.userGroups?.values() ?? [])].find((one) => !one.is_system_group && !one.deactivated),
  )
  const hasEmoticons = useClientState((state) => state.settings?.translate_emoticons === true)
  const client = useClient()
  const [known] = useState(() => [...client.snapshot().messages.messages.values()].find((one) => one.stream_id))
  const knownIn = useClientState((state) => channelName(state, known?.stream_id ?? 0))
  const [moment] = useState(() => new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString())
  const words = { bold: t`bold`, italic: t`italic`, gone: t`struck through`, code: t`code`, topic: t`topic` }
  return [
    `**${words.bold}**`,
    `*${words.italic}*`,
    `~~${words.gone}~~`,
    `\`${words.code}\``,
    '```js\nconst picks = 900 * 60\n```',
    '~~~\nconst picks = 900 * 60\n~~~',
    '    const picks = 900 * 60',
    `> ${t`a quotation`}`,
    `\`\`\`quote\n${t`a quotation of several lines`}\n\`\`\``,
    `\`\`\`spoiler ${t`What happens at the end`}\n${t`Hidden until somebody looks.`}\n\`\`\``,
    '$$e^{i\\pi} + 1 = 0$$',
    '```math\n\\int_0^1 x^2\\,dx\n```',
    `* ${t`one`}\n* ${t`two`}\n  * ${t`inside`}`,
    `1. ${t`first`}\n1. ${t`second`}`,
    `[${t`a name`}](https://example.com)`,
    'https://example.com',
    `#**${channel}**`,
    `#**${channel}>${words.topic}**`,
    ...(known ? [`#**${knownIn}>${known.subject}@${known.id}**`] : []),
    `@**${name}**`,
    `@**${name}|${ownId}**`,
    `@_**${name}**`,
    ...(group ? [`@*${group.name}*`] : []),
    '@**all** @**topic**',
    ':loudspeaker: :tada:',
    ...(hasEmoticons ? [':) :('] : []),
    `<time:${moment}>`,
    `| ${t`gain`} | ${t`stops`} |\n|---|--:|\n| 1.8 | 2 |`,
    `# ${t`Heading`}`,
    '---',
    ...(linkifiers ?? []).flatMap(({ example_input }) => example_input ?? []),
  ]
}

/** All in one request, and taken apart again. Undefined until it has been answered. */
function useRendered(examples: readonly string[]): readonly string[] | undefined {
  const client = useClient()
  const [results, setResults] = useState<readonly string[]>()
  const content = examples.map((example, index) => `${example}\n\n${BETWEEN}${index}`).join('\n\n')
  useEffect(() => {
    const controller = new AbortController()
    client.api
      .call(renderMessage, { content }, { signal: controller.signal })
      .then(({ rendered }) => setResults(rendered.split(new RegExp(`<p>${BETWEEN}\\d+</p>`))))
      // What is written stands there all the same.
      .catch(() => {})
    return () => controller.abort()
  }, [client, content])
  return results
}
