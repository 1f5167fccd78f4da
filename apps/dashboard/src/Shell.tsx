import { type KeyboardEvent, type FocusEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Link, useLocation } from "wouter"
import { Status } from "./kit/Status.tsx"
import { Money } from "./money/Money.tsx"
import { useWallet } from "./money/Wallet.ts"
import { routes } from "./Routes.tsx"
import { useSession, useSignOut } from "./Session.ts"
import { type Theme, useTheme } from "./Theme.ts"

const themes: ReadonlyArray<readonly [Theme, string]> = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"]
]

const ThemeChoice = () => {
  const [theme, choose] = useTheme()
  return (
    <label className="theme">
      <span>Colours</span>
      <select value={theme} onChange={(event) => choose(themes[event.currentTarget.selectedIndex]?.[0] ?? "system")}>
        {themes.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const Account = () => {
  const session = useSession().data
  const { data: wallet, isRefetchError } = useWallet()
  const signOut = useSignOut()
  return (
    <div className="account">
      <p>
        <bdi dir="auto">{wallet?.account.name ?? "…"}</bdi>{" "}
        {session?.environment !== undefined && (
          <Status tone={session.environment === "live" ? "good" : "warn"}>{session.environment}</Status>
        )}{" "}
        {session?.read_only === true && <Status tone="plain">read only</Status>}
      </p>
      <p>
        <Money cents={wallet?.balance_cents} />{" "}
        <span className="muted">credits{isRefetchError && " when last read"}</span>
      </p>
      <ThemeChoice />
      <button type="button" onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </button>
    </div>
  )
}

const isAt = (place: string, path: string) => (path === "/" ? place === "/" : `${place}/`.startsWith(`${path}/`))

const Navigation = ({ place }: { readonly place: string }) => (
  <ul>
    {routes.flatMap(({ path, nav }) =>
      nav === undefined
        ? []
        : [
            <li key={path}>
              <Link href={path} aria-current={isAt(place, path) ? "page" : undefined}>
                {nav}
              </Link>
            </li>
          ]
    )}
    <li>
      <a href="/docs">API reference</a>
    </li>
  </ul>
)

/** Whether the menu of a narrow page is open. It covers the page, so it closes when the focus moves behind it. */
const useMenu = () => {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (!open || key !== "Escape") return
    button.current?.focus()
    setOpen(false)
  }
  return { open, setOpen, button, leaving: { onBlur, onKeyDown } }
}

/** The frame of every page: the navigation, the signed-in account, the balance and the theme. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const [place] = useLocation()
  const { open, setOpen, button, leaving } = useMenu()
  const main = useRef<HTMLElement>(null)
  const from = useRef(place)
  useEffect(() => {
    if (from.current === place) return
    from.current = place
    setOpen(false)
    main.current?.focus()
  }, [place, setOpen])
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="side" data-open={open} {...leaving}>
        <div className="brand">
          <Link href="/">Sightline</Link>
          <button
            ref={button}
            type="button"
            className="menu"
            aria-expanded={open}
            aria-controls="navigation"
            onClick={() => setOpen(!open)}
          >
            Menu
          </button>
        </div>
        <nav id="navigation" aria-label="Pages">
          <Navigation place={place} />
          <Account />
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
