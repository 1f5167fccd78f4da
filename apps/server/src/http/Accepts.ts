const nothing = /^q\s*=\s*0(?:\.0*)?$/

/**
 * Whether a list such as `Accept` or `Accept-Encoding` names a value explicitly.
 *
 * Laws: an entry with the weight zero (`q=0`) does not count, nor does a wildcard. Case does not matter.
 */
export const accepts = (list: string | undefined, value: string): boolean =>
  (list ?? "").split(",").some((entry) => {
    const [name, ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase())
    return name === value && !parameters.some((parameter) => nothing.test(parameter))
  })
