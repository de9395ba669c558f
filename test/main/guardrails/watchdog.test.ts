import { expect, it } from 'vitest';
import { Watchdog, WatchdogTimeout } from '#main/guardrails/watchdog.ts';

/** A regular expression that practically never ends. */
const forever = (): never => {
  for (;;) void 0;
};

it('stops work that exceeds its limit', () => {
  let begun = 0;
  const work = (): never => {
    begun += 1;
    return forever();
  };
  // A machine with nothing else to do: the first attempt had its time.
  const clock = { now: 0 };
  const watchdog = new Watchdog(() => {
    clock.now += 30;
    return clock.now;
  });
  expect(() => watchdog.run(30, work)).toThrow(WatchdogTimeout);
  expect(begun).toBe(1);
  expect(() => new Watchdog().run(30, forever)).toThrow(WatchdogTimeout);
});

it('restarts work that only waited for its turn, and finally gives up', () => {
  let begun = 0;
  // The thread has used no CPU time at all, whatever the clock says.
  const waiting = new Watchdog(() => 0);
  const answer = waiting.run(20, () => {
    begun += 1;
    return begun < 3 ? forever() : 'looked at';
  });
  expect([answer, begun]).toEqual(['looked at', 3]);
  // Counted by clock readings, one at first and one after each attempt: on a busy computer an attempt may end
  // before its work has begun.
  let looks = 0;
  const counting = new Watchdog(() => {
    looks += 1;
    return 0;
  });
  expect(() => counting.run(5, forever)).toThrow(WatchdogTimeout);
  expect(looks).toBe(11);
});

it('passes on what the work throws, at once', () => {
  let begun = 0;
  const fails = (): never => {
    begun += 1;
    throw new Error('broken');
  };
  expect(() => new Watchdog(() => 0).run(1_000, fails)).toThrow('broken');
  expect(begun).toBe(1);
});
