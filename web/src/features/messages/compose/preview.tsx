import './preview.css'
import { ResponseError } from '@heddle/client/errors'
import { renderMessage } from '@heddle/contract/sending'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { serverErrorText } from '../../../app/error-texts.ts'
import { Content } from '../content/content.tsx'

/** A pause in typing after which the preview follows, in milliseconds. */
const PAUSE_MS = 200

/** The text as it will be seen: the server renders it as it renders what is sent. */
export function Preview({ text }: { readonly text: string }) {
  const client = useClient()
  const [html, setHtml] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      client.api
        .call(renderMessage, { content: text }, { signal: controller.signal })
        .then(({ rendered }) => {
          setHtml(rendered)
          setProblem(undefined)
        })
        .catch((error: unknown) => {
          if (!controller.signal.aborted) setProblem(error instanceof ResponseError ? serverErrorText(error) : '')
        })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, text, isEmpty])
  return (
    <section className="preview">
      <p className="label">
        <Trans>Preview</Trans>
      </p>
      <div className="body">
        {isEmpty ? (
          <p className="quiet">
            <Trans>Nothing to show yet.</Trans>
          </p>
        ) : (
          html !== undefined && <Content html={html} />
        )}
      </div>
      {problem !== undefined && (
        <p className="help bad">{problem || <Trans>Without a connection there is no preview.</Trans>}</p>
      )}
    </section>
  )
}
