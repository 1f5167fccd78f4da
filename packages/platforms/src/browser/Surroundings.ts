type Variables = Readonly<Record<string, string | undefined>>

/** What a browser needs to find its way about the machine and out of it: paths, language, display, proxies. */
const needed =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_\w+|FONTCONFIG_\w+|SSL_CERT_(?:FILE|DIR)|CHROM(?:E|IUM)_\w+|(?:http|https|ftp|all|auto|no)_proxy|SOCKS_\w+)$/i

/**
 * The variables of an environment that a browser is given.
 *
 * Choice: those that are known to be needed instead of all but our own settings, since what else has secrets there is not known. A
 * page that breaks out of its renderer would read them.
 */
export const surroundings = (environment: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && needed.test(name) ? [[name, value]] : []
    )
  )
