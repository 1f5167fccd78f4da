import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { digestOf, repository } from "../Digest.ts"

const folder = join(repository, "build/server")

/**
 * The program bundled into a few files, which Node loads faster than its thousand modules (decision 39). The files are as many folders
 * deep as the source, so that relative paths lead to the same places.
 */
export const program = join(folder, "src/Program.js")

interface MadeOf {
  /** Relative to the repository's folder. */
  readonly paths: ReadonlyArray<string>
  readonly digest: string
}

/** Whether the sources are still those that the bundle was made of. */
export const isFresh = (): boolean => {
  try {
    const { paths, digest }: MadeOf = JSON.parse(readFileSync(join(folder, "made-of.json"), "utf8"))
    return digestOf(paths) === digest
  } catch {
    return false
  }
}

/** Bundles the program into `outDir`. Returns the project's own sources in the bundle. */
const bundleInto = async (outDir: string): Promise<ReadonlyArray<string>> => {
  const { build } = await import("vite")
  const made = await build({
    root: repository,
    configFile: false,
    envFile: false,
    logLevel: "error",
    // Bundling playwright-core saves nothing: the browser takes longer to start. Loaded lazily from a bundle, undici loses its names.
    ssr: { noExternal: true, external: ["playwright-core", "undici"] },
    build: {
      ssr: "apps/server/src/Program.ts",
      outDir,
      emptyOutDir: true,
      target: "node24",
      rolldownOptions: { output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" } }
    }
  })
  return [made]
    .flat()
    .flatMap((one) => ("output" in one ? one.output : []))
    .flatMap((file) => ("moduleIds" in file ? file.moduleIds : []))
    .map((path) => relative(repository, path))
    .filter((path) => /^(?:apps|packages)\//.test(path))
    .sort()
}

/**
 * Makes the bundle. Several processes may do so at once: each moves whole files with the same content into place, and writes the list of
 * sources last. If a source was saved meanwhile, the list is not written and the next start makes the bundle again.
 */
export const bundle = async (): Promise<void> => {
  const began = Date.now()
  const fresh = `${folder}.${process.pid}`
  try {
    const sources = [...(await bundleInto(join(fresh, "src"))), "apps/server/Bundle.ts", "package-lock.json"]
    mkdirSync(join(folder, "src"), { recursive: true })
    for (const name of readdirSync(join(fresh, "src"))) renameSync(join(fresh, "src", name), join(folder, "src", name))
    if (sources.some((path) => statSync(join(repository, path)).mtimeMs >= began)) return
    const madeOf: MadeOf = { paths: sources, digest: digestOf(sources) }
    writeFileSync(join(fresh, "made-of.json"), JSON.stringify(madeOf))
    renameSync(join(fresh, "made-of.json"), join(folder, "made-of.json"))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
