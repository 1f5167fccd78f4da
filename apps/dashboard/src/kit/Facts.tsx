import type { ReactNode } from "react"

/** What is known of one thing: `Fact`s, each with its name before it. */
export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className="facts">{children}</dl>

/** A name and what it is. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
