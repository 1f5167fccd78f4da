/**
 * An address that may be linked: `http` or `https`, with the host a browser would go to; undefined for any other.
 *
 * Shape: `host` is in the form that the browser resolves (Punycode), so that a lookalike name in another script is recognisable.
 */
export const webAddress = (text: string): { readonly href: string; readonly host: string } | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined
  return { href: url.href, host: url.host }
}
