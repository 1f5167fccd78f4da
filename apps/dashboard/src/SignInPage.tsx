import { useEffect, useLayoutEffect, useRef } from "react"
import { Field } from "./kit/Field.tsx"
import { Form } from "./kit/Form.tsx"
import { keptFocus } from "./kit/Focus.ts"
import { useSignIn } from "./Session.ts"

// A dialog on the page behind hears key events too: Escape would close it, and what was typed would be lost.
const keepToItself = (event: Event) => event.stopPropagation()

// Takes over the title and the focus, and gives them back to the page behind.
const useTurn = (isReturning: boolean) => {
  const main = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    document.body.dataset["returning"] = String(isReturning)
    return () => document.body.removeAttribute("data-returning")
  }, [isReturning])
  useEffect(() => {
    const [{ title }, place] = [document, keptFocus()]
    document.title = "Sign in · Sightline"
    main.current?.addEventListener("keydown", keepToItself)
    if (isReturning) main.current?.focus()
    return () => {
      document.title = title
      if (place instanceof HTMLElement) place.focus()
    }
  }, [isReturning])
  return main
}

interface SignInPageProps {
  /** Whether it covers a page whose session has ended. */
  readonly isReturning: boolean
}

/** The form that exchanges a key for a session. */
export const SignInPage = ({ isReturning }: SignInPageProps) => {
  const signIn = useSignIn()
  const main = useTurn(isReturning)
  return (
    <main ref={main} className="sign-in" data-returning={isReturning} tabIndex={-1}>
      <h1>Sightline</h1>
      {isReturning && (
        <p className="note">
          The session has ended. Sign in with the same key, and the page is as you left it; with another it begins anew.
        </p>
      )}
      <p className="muted">Sign in with an API key. It is sent once, over this page, and not kept in the browser.</p>
      <Form label="Sign in" failure={signIn.error} onSubmit={(values) => signIn.mutate(values.text("key"))}>
        <Field
          name="key"
          label="API key"
          type="password"
          required
          autoComplete="off"
          placeholder="lvk_test_… or lvk_live_…"
        />
        <button type="submit" className="primary" disabled={signIn.isPending}>
          {signIn.isPending ? "Signing in…" : "Sign in"}
        </button>
      </Form>
    </main>
  )
}
