import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { cpuMsOf } from '../../scripts/test/cpu-time.ts';
import { note } from './notes.ts';

/**
 * Runs before every test file, and notes what the file cost. Its hook was registered first and so runs
 * last, when the file has stopped what it started.
 */
const file = relative(process.cwd(), expect.getState().testPath ?? '');
process.env.HYPERAGENT_TEST_FILE = file;
const isShared = process.env.HYPERAGENT_TEST_PROCESS === 'shared';
const before = isShared ? cpuMsOf(process.pid) : 0;

afterAll(() => {
  const suite = process.env.HYPERAGENT_TEST_SUITE ?? '';
  note({ kind: 'cost', suite, file, cpuMs: cpuMsOf(process.pid) - before });
});
