import { expect, it } from 'vitest';
import { PrivateValues } from '#main/browser/private-values.ts';

const typed = (...values: string[]): PrivateValues => {
  const all = new PrivateValues();
  all.add(values.map((value) => ({ value, isSecret: true })));
  return all;
};

it('hides the whole of a value, whatever was read of it while it was typed', () => {
  const values = typed('hunt', 'hunte', 'hunter22', 'hunter');
  expect(values.hide('It is hunter22, once hunter2 and hunt.')).toBe(
    'It is ••••, once ••••2 and ••••.',
  );
});

it('hides a long value as far as it goes where it is cut', () => {
  const long = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
  const values = typed(long);
  for (const length of [39, 40, 99, 160, 299]) {
    expect(values.hide(`Said: ${long.slice(0, length)}… end`)).toBe('Said: ••••… end');
  }
  expect(values.hide(`${long}${long} ${long.slice(0, 38)}`)).toBe(`•••••••• ${long.slice(0, 38)}`);
});

it('hides what stands over several lines as it is shown in one', () => {
  const values = typed('one line\nanother  line');
  expect(values.hide('Said one line another line, and another  line.')).toBe(
    'Said ••••, and ••••.',
  );
});
