import type { ReactNode } from "react"

/** The facts about one item: a list of `Fact`s. */
export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className="facts">{children}</dl>

/** A name and its value. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
