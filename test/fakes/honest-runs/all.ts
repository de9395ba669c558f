import type { HonestRun } from './parts.ts';
import { RUNS as FIRST } from './runs-1.ts';
import { RUNS as SECOND } from './runs-2.ts';
import { RUNS as THIRD } from './runs-3.ts';
import { RUNS as BROWSER } from './runs-browser.ts';

export const HONEST_RUNS: readonly HonestRun[] = [...FIRST, ...SECOND, ...THIRD, ...BROWSER];
