import { expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { CleanDrafts } from '#main/run/clean-drafts.ts';

const KEY = 'correct-horse-battery-staple';

function cleaned(drafts: readonly RunEventDraft[]): RunEventDraft[] {
  const secrets = new KnownSecrets();
  secrets.register(KEY);
  const clean = new CleanDrafts(secrets);
  return drafts.flatMap((draft) => clean.take(draft));
}

const print = (offset: number, text: string, type = 'terminal_output' as const): RunEventDraft => ({
  ...{ type, commandId: 'c', offset, text },
});
const end: RunEventDraft = {
  ...{
    type: 'terminal_complete',
    commandId: 'c',
    outcome: 'completed',
    exitCode: 0,
    durationMs: 1,
  },
};

test('what a program prints letter by letter holds no secret, and its offsets count what is shown', () => {
  const text = `a ${KEY} b ${KEY.slice(0, 5)}`;
  const events = cleaned([...[...text].map((letter, i) => print(i, letter)), end]);
  const printed = events.flatMap((event) => ('offset' in event ? [event] : []));
  let shown = '';
  for (const event of printed) {
    expect(event.offset).toBe(shown.length);
    shown += 'text' in event ? event.text : '';
  }
  expect(shown).toBe('a [redacted: key] b corre');
  expect(events.at(-1)).toEqual(end);
});

test('a gap in what a program prints stays a gap', () => {
  const [first, ...more] = cleaned([print(0, `${KEY} and corr`), print(1_000, 'ect'), end]);
  expect(first).toMatchObject({ offset: 0, text: '[redacted: key] and ' });
  const moved = '[redacted: key]'.length - KEY.length;
  expect(more.slice(0, 2)).toEqual([
    print(KEY.length + 5 + moved, 'corr'),
    print(1_000 + moved, 'ect'),
  ]);
});

test('every other event is cleaned in all its fields', () => {
  const call = (name: string, args: Record<string, unknown>): RunEventDraft => ({
    ...{ type: 'tool_call', toolCallId: 'x', name, arguments: args },
    ...{ risk: 'low', effect: 'read', agent: 'executor', round: 1 },
  });
  expect(cleaned([call(KEY, { [KEY]: { deep: [`x${KEY}x`] } })])).toEqual([
    call('[redacted: key]', { '[redacted: key]': { deep: ['x[redacted: key]x'] } }),
  ]);
});
