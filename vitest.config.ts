import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/services/postgres.ts", "test/services/nats.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
