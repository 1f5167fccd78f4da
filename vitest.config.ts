import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/services/postgres.ts", "test/services/nats.ts"],
    setupFiles: ["test/services/deepEqual.ts"],
    // Only what hangs is to fail: machines that build are slow and busy.
    testTimeout: 120_000,
    hookTimeout: 180_000
  }
})
