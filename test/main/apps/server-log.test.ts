import { expect, it } from 'vitest';
import { APP_LOG_CHARS } from '#contract/apps.ts';
import { ServerLog } from '#main/apps/server-log.ts';

it('has what came after a place, also once it is full', () => {
  const log = new ServerLog();
  log.add('x'.repeat(APP_LOG_CHARS + 10));
  const place = log.end;
  expect(log.after(place)).toBe('');
  log.add('\u001b[31mError\u001b[39m: no database\n');
  expect([log.after(place), log.text().length]).toEqual(['Error: no database\n', APP_LOG_CHARS]);
});

it('has its last lines, without bars that are drawn again', () => {
  const log = new ServerLog();
  log.add('10 %\r50 %\rdone\n\n\n\nready\n');
  expect(log.text(2)).toBe('\nready');
  expect(log.text()).toBe('10 %\n50 %\ndone\n\nready\n');
});
