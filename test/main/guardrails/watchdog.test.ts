import { expect, it } from 'vitest';
import { Watchdog, WatchdogTimeout } from '#main/guardrails/watchdog.ts';

/** As a regular expression that goes on for longer than anybody waits. */
const forever = (): never => {
  for (;;) void 0;
};

it('cuts off what works for longer than its limit', () => {
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

it('begins again what only waited for its turn, and gives up in the end', () => {
  let begun = 0;
  // The thread has worked for no time at all, whatever the clock says.
  const waiting = new Watchdog(() => 0);
  const answer = waiting.run(20, () => {
    begun += 1;
    return begun < 3 ? forever() : 'looked at';
  });
  expect([answer, begun]).toEqual(['looked at', 3]);
  // Counted by looks at the clock, one at first and one after each attempt: on a busy machine an attempt may
  // be over before its work has begun.
  let looks = 0;
  const counting = new Watchdog(() => {
    looks += 1;
    return 0;
  });
  expect(() => counting.run(5, forever)).toThrow(WatchdogTimeout);
  expect(looks).toBe(11);
});

it('lets through what the work throws, at once', () => {
  let begun = 0;
  const fails = (): never => {
    begun += 1;
    throw new Error('broken');
  };
  expect(() => new Watchdog(() => 0).run(1_000, fails)).toThrow('broken');
  expect(begun).toBe(1);
});
