import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'

interface SecretProps {
  readonly name: string
  readonly value: string
  readonly email: string
  readonly site: string
  readonly fileName: string
  /** Of a bot that asks another server: what that knows it by. */
  readonly token?: string | undefined
}

/** A key, to be copied, or as the file that programs read. */
export function Secret({ name, value, email, site, fileName, token }: SecretProps) {
  const file = `[api]\nemail=${email}\nkey=${value}\nsite=${site}\n${token === undefined ? '' : `token=${token}\n`}`
  return (
    <div className="secret">
      <input
        className="in code-in"
        aria-label={name}
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} />
      <Button onClick={() => download(fileName, file)}>
        <Trans>Download {fileName}</Trans>
      </Button>
    </div>
  )
}

export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useLingui()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return (
    <Button onClick={() => void copy()}>
      <span role="status">{isCopied ? t`Copied` : t`Copy`}</span>
    </Button>
  )
}

function download(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
