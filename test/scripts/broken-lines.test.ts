import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BROKEN_LINES } from '../../scripts/broken-lines/broken-lines.ts';

const ROOT = join(import.meta.dirname, '../..');

it.each(BROKEN_LINES.map((one) => [one.area, one] as const))(
  '%s: the line that is to be broken stands in its file once, and its tests exist',
  (_area, { file, line, broken, tests }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(line)).toHaveLength(2);
    expect(broken).not.toBe(line);
    const missing = tests.filter(
      (test) => !existsSync(join(ROOT, test)) && globSync(`${test}*`, { cwd: ROOT }).length === 0,
    );
    expect(missing).toEqual([]);
  },
);
