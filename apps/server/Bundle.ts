import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { digestOf, repository } from "../Digest.ts"

const folder = join(repository, "build/server")

/**
 * The program in a few files, which Node reads sooner than the thousand modules that they are made of (decision 39). They are as deep
 * as its source: what is found from there is found from here.
 */
export const program = join(folder, "src/Program.js")

interface MadeOf {
  /** From the repository's folder. */
  readonly paths: ReadonlyArray<string>
  readonly digest: string
}

/** Whether what the bundle was made of is still what there is. */
export const isFresh = (): boolean => {
  try {
    const { paths, digest }: MadeOf = JSON.parse(readFileSync(join(folder, "made-of.json"), "utf8"))
    return digestOf(paths) === digest
  } catch {
    return false
  }
}

/** Bundles the program into `outDir`. Answers the sources of ours that it was made of. */
const bundleInto = async (outDir: string): Promise<ReadonlyArray<string>> => {
  const { build } = await import("vite")
  const made = await build({
    root: repository,
    configFile: false,
    envFile: false,
    logLevel: "error",
    // A browser takes longer to start than its library to be read; a bundle loses the names of undici where it is loaded later.
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
 * Makes the bundle. Several processes may do so at once: each puts whole files of one content in their place, and says last what they
 * were made of. It does not say so where a source was saved meanwhile, and the next start makes them again.
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
