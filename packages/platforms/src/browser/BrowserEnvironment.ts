type Variables = Readonly<Record<string, string | undefined>>

/** The variables that a browser needs: paths, language, display, proxies. */
const needed =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_\w+|FONTCONFIG_\w+|SSL_CERT_(?:FILE|DIR)|CHROM(?:E|IUM)_\w+|(?:http|https|ftp|all|auto|no)_proxy|SOCKS_\w+)$/i

/**
 * The environment variables that a browser gets.
 *
 * Choice: a list of those known to be needed, rather than all but the settings of this service, because any other variable
 * may hold a secret. A page that breaks out of its renderer could read them.
 */
export const browserEnvironment = (environment: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && needed.test(name) ? [[name, value]] : []
    )
  )
