import { beforeAll, describe, expect, it } from 'vitest';
import { findSecretsByKind, withoutSecretKinds } from '#main/base/secret-kinds.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { testGuards } from '../../fakes/fake-guards.ts';
import { knownTools, recordingTool, toolBench } from '../../fakes/fake-tools.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { mark, random, startAgain } from '../../fakes/secret-kinds/generate.ts';
import { HARMLESS } from '../../fakes/secret-kinds/harmless.ts';
import { SECRET_SAMPLES } from '../../fakes/secret-kinds/kinds.ts';

/** The part of a secret that would reveal it. */
const linesOf = (secret: string): string[] =>
  secret
    .split('\n')
    .filter((line) => line !== '' && !line.includes('-----'))
    .map((line) => line.slice(-12));

function answered(pieces: Iterable<string>, stream: 'text' | 'reasoning'): string {
  const guard = testGuards().openOutput(() => false);
  if (guard === null) throw new Error('It is on by default');
  let given = '';
  for (const piece of pieces) given += guard[stream](piece);
  return given + (stream === 'text' ? guard.endText() : guard.endReasoning());
}

const scanned = (args: unknown, runs: boolean) =>
  testGuards()
    .arguments(JSON.stringify(args), { runs, leaves: true })
    .findings.filter(({ rule }) => rule.startsWith('secret_'));

// One of a thousand random values looks like none: which are drawn must not depend on other files.
beforeAll(startAgain);

describe('secrets by their kind', () => {
  it.each(SECRET_SAMPLES)(
    '$kind: is taken out of answers and thinking, however they are cut',
    (sample) => {
      const { make, around = (secret: string) => secret } = sample;
      for (let i = 0; i < 5; i += 1) {
        const secret = make();
        const text = `Here it is: ${around(secret)} and no more.`;
        const whole = answered([text], 'text');
        const left = linesOf(secret).filter((line) => whole.includes(line));
        expect([whole.includes('[redacted: '), left, whole.endsWith(' and no more.')]).toEqual([
          true,
          [],
          true,
        ]);
        expect(answered(text, 'text')).toBe(whole);
        expect(answered(text, 'reasoning')).toBe(whole);
        const at = text.indexOf(secret) + Math.floor(secret.length / 2);
        expect(answered([text.slice(0, at), text.slice(at)], 'text')).toBe(whole);
      }
    },
  );

  it.each(SECRET_SAMPLES)(
    '$kind: is found in arguments, run or written down, and named',
    (sample) => {
      const { make, around = (secret: string) => secret } = sample;
      const text = around(make());
      for (const runs of [true, false]) {
        const [found] = scanned({ content: `x ${text} y` }, runs);
        expect(found).toMatchObject({
          weight: 'signal',
          message: expect.stringMatching(/^Contains an? /),
        });
      }
    },
  );

  it('leave lookalikes unchanged', () => {
    const harmless = [...SECRET_SAMPLES.map(({ twin }) => twin), ...HARMLESS];
    const changed = harmless.filter((text) => answered(text, 'text') !== text);
    const found = harmless.filter((text) => scanned({ code: text }, true).length > 0);
    console.log(
      `Secrets: ${SECRET_SAMPLES.length} kinds; of ${harmless.length} harmless texts ${changed.length} changed`,
    );
    expect([changed, found]).toEqual([[], []]);
  });

  it('are found by the name of their field', () => {
    const [found] = scanned({ env: { aws_secret_access_key: random('base64', 40) } }, false);
    expect(found).toMatchObject({ message: 'Contains an AWS key.' });
  });

  it('take linear time, also in the worst case', () => {
    const marks = [
      'sk-',
      'eyJ',
      '://a:',
      'Bearer ',
      'Basic ',
      'key = ',
      'sig=',
      '-----BEGIN A PRIVATE KEY-----',
    ];
    const worst = [
      ...marks,
      'AccountKey=a',
      '.atlasv1.',
      'M'.repeat(30),
      '1234567890:AA',
      'a.b.',
      'eyJabcdefghijk.',
    ];
    const times = worst.map((piece) => {
      const text = piece.repeat(200_000 / piece.length);
      const before = process.cpuUsage();
      findSecretsByKind(text);
      const { user, system } = process.cpuUsage(before);
      return [piece, Math.round((user + system) / 1000)] as const;
    });
    console.log(`Secrets: CPU ms for 200,000 characters: ${times.map(([, ms]) => ms).join(' ')}`);
    expect(times.filter(([, ms]) => ms > 1_000)).toEqual([]);
  });
});

describe('a secret in a call', () => {
  const token = mark('gh', 'p_') + random('alnum', 36);
  function bench(category: 'search' | 'data' | 'code_exec', policy: 'open' | 'offline') {
    const log: unknown[] = [];
    const tool = { ...recordingTool('look', log, { risk: 'low' }), category };
    const made = toolBench({ guards: testGuards() });
    const context = { ...made.context, egress: { ...made.context.egress, policy } };
    const tools = knownTools([tool]);
    const run = () =>
      executeToolBatch([call('c1', 'look', { text: `use ${token}` })], context, {
        pipeline: made.pipeline,
        tools,
      });
    return { ...made, log, run };
  }

  it.each(['search', 'code_exec'] as const)(
    'that may go out is asked about, with its kind: %s',
    async (category) => {
      const { run, log, openQuestion, broker } = bench(category, 'open');
      const running = run();
      const question = await openQuestion();
      expect(question).toMatchObject({ risk: 'high', reasons: ['Contains a GitHub token.'] });
      // What is shown is what runs.
      expect(question.argumentsText).toContain(token);
      const { interruptId, argumentsSha256 = '' } = question;
      broker.respond('run_1', interruptId, { action: 'approve', argumentsSha256, always: false });
      await running;
      expect(log).toEqual([['look', { text: `use ${token}` }]]);
    },
  );

  it.each([
    ['data', 'open'],
    ['code_exec', 'offline'],
  ] as const)('that stays here is noted and not asked about: %s, %s', async (category, policy) => {
    const { run, log, events } = bench(category, policy);
    await run();
    expect(log).toHaveLength(1);
    expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
      findings: [{ rule: 'secret_github_token', message: 'Contains a GitHub token.' }],
    });
  });
});

it('a text without one is returned unchanged', () => {
  for (const text of HARMLESS) expect(withoutSecretKinds(text)).toBe(text);
});
