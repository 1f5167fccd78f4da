/**
 * Which environment variables a browser receives.
 *
 * Planted and seen red: all of them, which is the default of the process API; none of them.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { browserEnvironment } from "@sightline/platforms/browser/BrowserEnvironment"
import { browsing, onPage } from "./Captures.ts"
import { foldersOf, groupsIn, membersOf } from "./Processes.ts"

const secrets = ["SECRET_KEY", "ADMIN_TOKEN", "DATABASE_URL", "OPENAI_API_KEY", "GEO_PROXIES", "AWS_SECRET_ACCESS_KEY"]

it("a browser receives system and network variables, and no others", () => {
  const told = {
    PATH: "/usr/bin",
    HOME: "/home/node",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    TMPDIR: "/tmp",
    XDG_CACHE_HOME: "/cache",
    LD_LIBRARY_PATH: "/lib",
    FONTCONFIG_FILE: "/fonts",
    CHROMIUM_FLAGS: "--mute-audio",
    TZ: "UTC",
    DISPLAY: ":0",
    XAUTHORITY: "/run/xauth",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
    SSL_CERT_FILE: "/ca.pem",
    SSL_CERT_DIR: "/certs",
    https_proxy: "http://proxy:3128",
    all_proxy: "socks5://proxy:1080",
    NO_PROXY: "localhost"
  }
  const hidden = Object.fromEntries([...secrets, "PATHS", "MY_HOME", "GEO_PROXY"].map((name) => [name, "secret"]))
  assert.deepEqual(browserEnvironment({ ...told, ...hidden, USER: undefined }), told)
})

it.live("no process of a browser has the credentials of the database or of a vendor", () =>
  Effect.gen(function* () {
    const before = new Map(secrets.map((name) => [name, process.env[name]]))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      })
    )
    for (const name of secrets) process.env[name] = `known-by-${name}`
    const environments = yield* onPage(() =>
      Effect.sync(() =>
        membersOf(groupsIn(foldersOf(process.pid))).map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"))
      )
    ).pipe(Effect.provide(browsing()))
    assert.isAbove(environments.length, 0)
    for (const environment of environments) assert.notInclude(environment, "known-by-")
    assert.isTrue(environments.some((environment) => environment.split("\0").includes(`PATH=${process.env["PATH"]}`)))
  }).pipe(Effect.scoped)
)
