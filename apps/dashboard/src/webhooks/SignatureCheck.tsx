import { Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import type { Tone } from "@sightline/dashboard/kit/Status.tsx"
import { countText, durationText } from "@sightline/dashboard/text/Format"
import { type ReactNode, useState } from "react"
import { freshSeconds, type Slip, type Verdict, verify } from "./Verification.ts"

const slips: Readonly<Record<Slip, string>> = {
  secret_blanks: "It is right for the secret without the spaces around it.",
  line_end_added: "It is right for the body without the line break at its end, which was added on the way here.",
  line_end_missing: "It is right for the body with a line break at its end, which was lost on the way here.",
  line_ends: "It is right for the body with line breaks of two characters (CR LF).",
  reformatted:
    "It is right for the same JSON without spaces: this body was parsed and written again. Check the raw bytes."
}

const ageText = (age: number) => {
  if (age === 0) return "now"
  return age < 0 ? `${durationText(-age * 1000)} ahead of this clock` : `${durationText(age * 1000)} ago`
}

const wordsOf = (verdict: Verdict): readonly [tone: Tone, title: string, more: string] => {
  switch (verdict.is) {
    case "genuine":
      return verdict.age === null
        ? [
            "good",
            "The signature is right.",
            "It does not say when it was made, so anyone who saw it can send it again."
          ]
        : ["good", "The signature is right and fresh.", `It was made ${ageText(verdict.age)}.`]
    case "stale":
      return [
        "warn",
        verdict.age < 0 ? "The signature is right, but from the future." : "The signature is right, but too old.",
        `It was made ${ageText(verdict.age)}; a receiver refuses more than ${freshSeconds} seconds either way.`
      ]
    case "missing":
      return ["bad", `The ${verdict.what} is missing.`, "Nothing can be checked without it."]
    case "unknown_shape":
      return [
        "bad",
        "This is neither of the two headers.",
        "One is 64 hexadecimal digits, the other t=<seconds>,v1=<digits>."
      ]
    case "wrong_length":
      return [
        "bad",
        "The signature has the wrong length.",
        `It has ${countText(verdict.length)} digits; HMAC-SHA256 has 64.`
      ]
    case "not_hex":
      return [
        "bad",
        "The signature is not in lower-case hexadecimal.",
        `Character ${countText(verdict.at + 1)} of the digits is none of 0-9 and a-f.`
      ]
    case "wrong":
      return [
        "bad",
        "The signature is wrong.",
        verdict.slip === null
          ? "Another secret signed this, or the body is not the one that was sent."
          : slips[verdict.slip]
      ]
  }
}

const Found = ({ verdict }: { readonly verdict: Verdict }): ReactNode => {
  const [tone, title, more] = wordsOf(verdict)
  return (
    <div className="note" data-tone={tone}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{more}</p>
    </div>
  )
}

/** Verifies, in the browser, the signature of a request that a receiver got. Nothing that is typed here is sent or stored. */
export const SignatureCheck = () => {
  const [verdict, setVerdict] = useState<Verdict>()
  const check = (values: Values) =>
    void verify(
      { body: values.exact("body"), secret: values.exact("secret"), signature: values.text("signature") },
      Math.floor(Date.now() / 1000)
    ).then(setVerdict)
  if (!globalThis.isSecureContext)
    return <p className="muted">Browsers check signatures on pages that came over https, or from this machine, only.</p>
  return (
    <>
      <p className="muted">Checked here in the browser. Nothing that you paste leaves this page or is kept.</p>
      <Form label="Verify a signature" failure={null} onSubmit={check}>
        <Field
          name="body"
          label="Raw body"
          hint="To the byte as it arrived, before anything parses it."
          control={<textarea rows={5} spellCheck={false} className="mono" />}
        />
        <div className="fields">
          <Field
            name="secret"
            label="Secret"
            type="password"
            autoComplete="off"
            hint="The endpoint's, or the watch's webhook secret, as text."
          />
          <Field
            name="signature"
            label="Signature header"
            autoComplete="off"
            hint="x-svc-signature, or x-svc-signature-legacy, whose moment is then looked at too."
          />
        </div>
        <button type="submit" className="primary">
          Verify
        </button>
      </Form>
      <div role="status" aria-label="Result of the verification">
        {verdict !== undefined && <Found verdict={verdict} />}
      </div>
    </>
  )
}
