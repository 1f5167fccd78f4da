import { cut } from "./Cut.ts"
import { HostileText } from "./HostileText.tsx"
import { webAddress } from "./WebAddress.ts"

interface ExternalLinkProps {
  readonly url: string
  /** The title of the source; without one the URL is shown. */
  readonly title?: string | undefined
}

const longest = 160

/** A link to a page from an untrusted source, with its real host beside it; plain text if it is not a web address. */
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
