import { expect, it } from 'vitest';
import { startOf } from '#main/sandbox/docker-provider/docker-launcher.ts';

it('tells when a process began, also of one that began just now', () => {
  const now = 1_795_435_034_994;
  expect(startOf('12', now)).toBe(now - 12_000);
  // As printed by ps for an age below zero.
  for (const age of ['0', '4123168603', '4294967295', '-1', 'none'])
    expect(startOf(age, now)).toBe(now);
});
