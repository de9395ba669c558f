import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['test/setup/offline.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    // Sandboxes, browsers and servers share the machine: more workers make them wait, not run.
    maxWorkers: 3,
  },
});
