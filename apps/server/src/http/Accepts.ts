const nothing = /^q\s*=\s*0(?:\.0*)?$/

/**
 * Whether a list such as `Accept` or `Accept-Encoding` names a value in so many words.
 *
 * Laws: what it refuses by a weight of nothing (`q=0`) it does not name, and neither does a wildcard. Case is no difference.
 */
export const accepts = (list: string | undefined, value: string): boolean =>
  (list ?? "").split(",").some((entry) => {
    const [name, ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase())
    return name === value && !parameters.some((parameter) => nothing.test(parameter))
  })
