import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Minutes each: begun last, they would be at work alone at the end. */
const LONG = [
  'test/integration/kills.test.ts',
  'test/e2e/renderer-accessibility.test.ts',
  'test/e2e/xss.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

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
    sequence: { sequencer: LongFirst },
  },
});
