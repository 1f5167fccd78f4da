import { cut } from "./Cut.ts"
import { HostileText } from "./HostileText.tsx"
import { webAddress } from "./WebAddress.ts"

interface ExternalLinkProps {
  readonly url: string
  /** What the source calls itself; the address stands for it when it has no name. */
  readonly title?: string | undefined
}

const longest = 160

/** A link to a page that a stranger named: its real host beside it, and mere text when it leads anywhere but the web. */
export const ExternalLink = ({ url, title }: ExternalLinkProps) => {
  const address = webAddress(url)
  const name = title === undefined || title.trim() === "" ? url : title
  if (address === undefined) return <HostileText text={name} limit={longest} />
  return (
    <span className="external">
      <a href={address.href} target="_blank" rel="noopener noreferrer nofollow">
        <bdi dir="auto" className="hostile">
          {cut(name, longest)}
        </bdi>
      </a>{" "}
      <bdi className="host">{address.host}</bdi>
    </span>
  )
}
