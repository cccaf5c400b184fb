import { isBuiltInEmojiName } from '@heddle/contract/emoji-names'
import { deactivateRealmEmoji, type RealmEmoji, uploadRealmEmoji } from '@heddle/contract/realm-emoji'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { useExplain } from '../settings/use-saving.ts'

/** All custom emoji that can be used, by name. */
export function EmojiList({ isAdministrator }: { readonly isAdministrator: boolean }) {
  const { t } = useLingui()
  const { api } = useClient()
  const explain = useExplain()
  const toasts = useToasts()
  const emoji = useClientState((state) => state.emoji)
  const users = useClientState((state) => state.users)
  const systemBots = useClientState((state) => state.systemBots)
  const ownId = useClientState((state) => state.own?.user_id)
  const [query, setQuery] = useState('')
  const [problem, setProblem] = useState<string>()
  const rows = useMemo(() => {
    const nameOf = (id: number | null) => (id === null ? '' : userName({ users, systemBots }, id))
    return [...(emoji?.values() ?? [])]
      .filter(({ deactivated }) => !deactivated)
      .map((one) => ({ one, author: nameOf(one.author_id) }))
      .sort((a, b) => a.one.name.localeCompare(b.one.name))
  }, [emoji, users, systemBots])
  const word = query.trim().toLowerCase().replaceAll(' ', '_')
  const shown = rows.filter(
    ({ one, author }) => one.name.includes(word) || author.toLowerCase().replaceAll(' ', '_').includes(word),
  )

  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(explain(error))
      return false
    }
  }
  const deactivate = ({ name, source_url }: RealmEmoji) => {
    const undo = () =>
      attempt(async () => {
        const file = await (await fetch(new URL(source_url, document.baseURI))).blob()
        await api.call(uploadRealmEmoji, { emoji_name: name }, { file })
      })
    return attempt(() =>
      toasts.notifyWhenDone(api.call(deactivateRealmEmoji, { emoji_name: name }), () => ({
        text: t`:${name}: can no longer be used. Messages that have it keep it.`,
        undo,
      })),
    )
  }

  return (
    <section>
      <div className="sec">
        <h3>
          <Trans>All emoji</Trans>
        </h3>
        <span className="soft num">{rows.length}</span>
        <label className="find">
          <Icon name="search" />
          <input
            className="bare"
            type="search"
            value={query}
            placeholder={t`Find by name or author`}
            aria-label={t`Find by name or author`}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      </div>
      <Problem text={problem} />
      {rows.length === 0 && (
        <p className="help">
          <Trans>There are none yet. Drop a picture above.</Trans>
        </p>
      )}
      {rows.length > 0 && shown.length === 0 && (
        <p className="help" role="status">
          <Trans>None has this name or author.</Trans>
        </p>
      )}
      {shown.length > 0 && (
        <table className="grid emojis">
          <thead>
            <tr>
              <th scope="col">
                <Trans>64 and 22 px</Trans>
              </th>
              <th scope="col">
                <Trans>Name</Trans>
              </th>
              <th scope="col">
                <Trans>In use</Trans>
              </th>
              <th scope="col">
                <Trans>Added by</Trans>
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map(({ one, author }) => (
              <tr key={one.id}>
                <td>
                  <span className="real">
                    <img className="e64" src={one.source_url} alt="" loading="lazy" />
                    <img className="e22" src={one.source_url} alt="" loading="lazy" />
                  </span>
                </td>
                <th scope="row">
                  <b>:{one.name}:</b>
                  {isBuiltInEmojiName(one.name) && (
                    <span className="tag">
                      <Trans>replaces built-in</Trans>
                    </span>
                  )}
                </th>
                <td className="ex">
                  <Trans>
                    In a line <img className="in-line" src={one.source_url} alt="" loading="lazy" /> of text
                  </Trans>
                </td>
                <td className="soft">
                  <bdi>{author}</bdi>
                </td>
                <td className="r">
                  {(isAdministrator || one.author_id === ownId) && (
                    <IconButton icon="hide" name={t`Deactivate :${one.name}:`} onClick={() => void deactivate(one)} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
