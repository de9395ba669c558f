import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES, SUITES } from './test/suites.ts';

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG_FILES.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/setup/offline.ts', 'test/setup/cpu-time.ts'],
    // What hangs is ended. How long something takes is no claim of a test: see test/bench for that.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    restoreMocks: true,
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: SUITES.map(({ name, include, exclude = [], process, globalSetup = [] }) => ({
      extends: true,
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        globalSetup: [...globalSetup],
        isolate: process === 'own',
        // Node runs TypeScript as it is, and keeps what it compiled for the next process.
        experimental: { viteModuleRunner: process === 'shared' },
        env: { HYPERAGENT_TEST_SUITE: name, HYPERAGENT_TEST_PROCESS: process },
      },
    })),
  },
});
