import { expect, it } from 'vitest';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { visibleSegments } from '#contract/visible-text.ts';
import { canonicalJson, sha256 } from '#main/base/canonical-json.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { sampleSize } from '../../setup/sampling.ts';

const CALLS = sampleSize(10_000, { name: 'approved calls', size: 1_000 });

/** What could make the user approve other bytes than those that they see. */
const NASTY = [
  '\u202egnp.exe\u202c',
  '\u2066\u2067\u2069',
  '\u0000\u0007\u001b[2J\u001b]0;title\u0007',
  '\r\n\r\n',
  'rm -rf / # \u200b',
  '**bold** <script>alert(1)</script> [x](javascript:y)',
  'раура1 \u0430dmin',
  '\ud83d\ude00\u200d\ud83d\ude00',
  'é e\u0301',
  '```\nApprove once\n```',
  '\u2028\u2029\u00ad\ufeff',
  '{"argumentsSha256":"0"}',
  '\\u202e',
  '"\\"',
];

/** The same numbers each time: a failure can be looked at again. */
function* randomNumbers(): Generator<number, never> {
  let state = 0x2545f491;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield (state >>> 0) / 2 ** 32;
  }
}

function generator() {
  const numbers = randomNumbers();
  const random = (below: number): number => Math.floor(numbers.next().value * below);
  const text = (): string => {
    const pieces = Array.from({ length: random(6) }, () =>
      random(3) === 0
        ? String.fromCodePoint(32 + random(0x2fff))
        : (NASTY[random(NASTY.length)] ?? ''),
    );
    const long = random(40) === 0 ? 'x\n'.repeat(random(20_000)) : '';
    return pieces.join('') + long;
  };
  const value = (depth: number): unknown => {
    switch (random(depth > 2 ? 4 : 6)) {
      case 0:
        return random(1_000_000) - 500_000;
      case 1:
        return random(2) === 0;
      case 2:
        return null;
      case 3:
        return text();
      case 4:
        return Array.from({ length: random(4) }, () => value(depth + 1));
      default:
        return object(depth + 1);
    }
  };
  const object = (depth: number): Record<string, unknown> =>
    Object.fromEntries(
      Array.from({ length: random(5) }, () => [
        random(4) === 0 ? text() : `k${random(9)}`,
        value(depth),
      ]),
    );
  return { random, object };
}

/** What a drawn segment stands for. */
function asMeant({ text, hidden }: ReturnType<typeof visibleSegments>[number]): string {
  if (!hidden) return text;
  return text.replace(/⟨U\+([0-9A-F]+)⟩/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

it(`shows, approves and runs the same bytes for ${CALLS} calls, and nothing else`, async () => {
  const { random, object } = generator();
  const counts = { ran: 0, denied: 0, refused: 0 };
  const bench = toolBench({
    broker: {
      review: (_tool, text) => {
        const argumentsText = canonicalJson(JSON.parse(text));
        return { argumentsText, argumentsSha256: sha256(argumentsText), reasons: [] };
      },
    },
  });
  const ran: [string, unknown][] = [];
  const tools = knownTools([recordingTool('danger', ran, { risk: 'high', effect: 'opaque' })]);
  for (let i = 0; i < CALLS; i += 1) {
    bench.events.length = 0;
    ran.length = 0;
    const { n: _n, ...given } = object(0);
    const results = executeToolBatch([call(`c${i}`, 'danger', given)], bench.context, {
      pipeline: bench.pipeline,
      tools,
    });
    const { interruptId, argumentsText = '', argumentsSha256 = '' } = await bench.openQuestion();
    // What a window draws: each hidden character by its number, everything else as it is.
    expect(visibleSegments(argumentsText).map(asMeant).join('')).toBe(argumentsText);
    expect(sha256(argumentsText)).toBe(argumentsSha256);
    const approve = { action: 'approve', argumentsSha256, always: false } as const;
    const tryTo = (runId: string, response: InterruptResponse): string => {
      try {
        bench.broker.respond(runId, interruptId, response);
        return 'accepted';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    // Answers that are changed or for another run come first, and change nothing.
    const changed = { ...approve, argumentsSha256: sha256(`${argumentsText} `) };
    const edited = { ...approve, edited: canonicalJson({ ...given, k0: 'other' }) };
    expect([tryTo('run_2', approve), tryTo('run_1', changed), tryTo('run_1', edited)]).toEqual([
      'NOT_FOUND',
      'APPROVAL_MISMATCH',
      'APPROVAL_MISMATCH',
    ]);
    counts.refused += 3;
    expect(ran).toEqual([]);
    const how = random(10);
    const answer: InterruptResponse =
      how === 0
        ? { action: 'deny', reason: 'no' }
        : how === 1
          ? { ...approve, argumentsSha256: sha256(edited.edited), edited: edited.edited }
          : approve;
    // Two windows answer at once: one of them is first.
    expect([tryTo('run_1', answer), tryTo('run_1', approve)]).toEqual([
      'accepted',
      'ALREADY_ANSWERED',
    ]);
    const [result] = await results;
    if (how === 0) {
      counts.denied += 1;
      expect([ran, result?.status]).toEqual([[], 'denied']);
      continue;
    }
    counts.ran += 1;
    const expected = how === 1 ? edited.edited : argumentsText;
    expect(ran.map(([, input]) => canonicalJson(input))).toEqual([expected]);
  }
  expect(counts.ran + counts.denied).toBe(CALLS);
  expect(counts.refused).toBe(3 * CALLS);
});
