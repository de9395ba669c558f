import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['test/setup/offline.ts'],
    // What hangs is ended. How long something takes is no claim of a test: see test/bench for that.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    restoreMocks: true,
    // Sandboxes, browsers and servers share the machine: more workers make them wait, not run.
    maxWorkers: 3,
  },
});
