import react from "@vitejs/plugin-react"
import type { InlineConfig } from "vite"

/** How the page is built. Shape: `outDir` receives the page, its assets and `manifest.json`. */
export const configOf = (outDir: string): InlineConfig => ({
  root: import.meta.dirname,
  configFile: false,
  envFile: false,
  logLevel: "error",
  plugins: [react()],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2024",
    // A data: address would need a hole in the page's policy.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false }
  }
})
