import { useEffect } from "react"
import { Field } from "./kit/Field.tsx"
import { Form } from "./kit/Form.tsx"
import { useSignIn } from "./Session.ts"

/** Where a key is exchanged for a session. */
export const SignInPage = () => {
  const signIn = useSignIn()
  useEffect(() => {
    document.title = "Sign in · Sightline"
  }, [])
  return (
    <main className="sign-in" tabIndex={-1}>
      <h1>Sightline</h1>
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
