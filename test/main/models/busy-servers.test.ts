import { expect, test } from 'vitest';
import { askedPauseMs } from '#main/models/asked-pause.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { CHAT_PATHS, failureOf, openOn, type Protocol, send } from './harness.ts';

/** Servers that cannot answer in this moment, and say so. */

const PROTOCOLS = Object.keys(CHAT_PATHS) as Protocol[];

const busy = (
  header: Record<string, string>,
  status = 429,
  message = 'slow down',
): WireStepInput[] => [
  { header },
  { refuse: { status, body: JSON.stringify({ error: { message } }) } },
];

for (const protocol of PROTOCOLS) {
  test(`${protocol}: a busy server that asks for a pause is asked again after it, visibly`, async () => {
    await using setup = await openOn(protocol, {
      turns: [
        { steps: busy({ 'retry-after-ms': '300' }) },
        { steps: busy({ 'retry-after': '1' }, 503) },
        { steps: busy({}, 429, 'Rate limit reached. Please try again in 200ms.') },
        { steps: [{ text: 'ok' }] },
      ],
    });
    const startedAt = performance.now();
    const { reply, progress } = await send(setup.model);
    const reasons = progress.flatMap((one) => (one.kind === 'retrying' ? [one.reason] : []));
    const asks = 'The server is busy and asks for a pause of 1 s.';
    expect([reply.content, reasons]).toEqual(['ok', [asks, asks, asks]]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_500);
  });

  test(`${protocol}: one that asks for too long, or too often, is a failure that says so`, async () => {
    await using patient = await openOn(protocol, {
      turns: [{ times: 'always', steps: busy({ 'retry-after': '3600' }) }],
    });
    const failure = await failureOf(send(patient.model));
    expect([failure.code, failure.message]).toEqual([
      'MODEL_OVERLOADED',
      expect.stringContaining('asks for a pause of 60 min'),
    ]);
    expect(patient.fake.recording.to(CHAT_PATHS[protocol])).toHaveLength(1);
    await using often = await openOn(protocol, {
      turns: [{ times: 'always', steps: busy({ 'retry-after': '0' }) }],
    });
    expect((await failureOf(send(often.model))).code).toBe('MODEL_OVERLOADED');
    expect(often.fake.recording.to(CHAT_PATHS[protocol])).toHaveLength(4);
  });

  test(`${protocol}: an abort ends the pause`, async () => {
    await using setup = await openOn(protocol, {
      turns: [{ times: 'always', steps: busy({ 'retry-after': '50' }) }],
    });
    const controller = new AbortController();
    const reason = new Error('the user stopped it');
    const sending = setup.model.send(
      { messages: [{ role: 'user', content: 'Hello' }], tools: [] },
      {
        signal: controller.signal,
        onProgress: ({ kind }) => {
          if (kind === 'retrying') setTimeout(() => controller.abort(reason), 20);
        },
      },
    );
    await expect(sending).rejects.toBe(reason);
    expect(setup.fake.recording.to(CHAT_PATHS[protocol])).toHaveLength(1);
  });
}

test('the pause is as long as the server asks for', async () => {
  const turns = [{ steps: busy({ 'retry-after': '2' }) }, { steps: [{ text: 'ok' }] }];
  await using setup = await openOn('openai-compatible', { turns });
  const startedAt = performance.now();
  expect((await send(setup.model)).reply.content).toBe('ok');
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_990);
});

test.each<[Record<string, string>, string, number | null]>([
  [{ 'retry-after': '7' }, '', 7_000],
  [{ 'retry-after': '7', 'retry-after-ms': '6500' }, '', 6_500],
  [
    { 'retry-after': 'Sat, 01 Aug 2026 10:00:30 GMT', date: 'Sat, 01 Aug 2026 10:00:00 GMT' },
    '',
    30_000,
  ],
  [{ 'retry-after': 'Sat, 01 Aug 1970 10:00:30 GMT' }, '', 0],
  [{}, 'Please try again in 1m2.5s. Visit the page.', 62_500],
  [{}, 'You exceeded your quota. Please retry in 23.5s.', 23_500],
  [{}, 'try again in 20 seconds', 20_000],
  [{ 'retry-after': 'soon' }, 'Wait a moment, then try again.', null],
  [{ 'retry-after': '-3' }, '', null],
  [{ 'retry-after': '1e99' }, '', null],
  [{}, 'Please try again in ... seconds', null],
])('%j %s asks for %s ms', (header, message, expected) => {
  expect(askedPauseMs((name) => header[name] ?? null, message)).toBe(expected);
});

const PARSE = 'Failed to parse input at pos 14: <tool_call>{"name"';

test.each<[string, WireStepInput[]]>([
  [
    'before the first byte',
    [
      {
        refuse: {
          status: 500,
          body: JSON.stringify({ error: { code: 500, message: PARSE, type: 'server_error' } }),
        },
      },
    ],
  ],
  ['inside the stream', [{ text: 'I will look.' }, { error: PARSE }]],
])('a call that llama.cpp could not parse is told to the model (%s)', async (_name, steps) => {
  await using setup = await openOn('openai-compatible', {
    v1: { errors: 'field' },
    turns: [{ steps }, { times: 'always', steps: [{ text: 'no JSON' }] }],
  });
  const { reply } = await send(setup.model);
  expect([reply.toolCalls, reply.invalidToolCalls]).toEqual([
    [],
    [
      {
        id: expect.any(String),
        name: '',
        rawArguments: '',
        problem: expect.stringContaining(
          'could not read the call: Failed to parse input at pos 14',
        ),
      },
    ],
  ]);
});

test('the same error of a request without tools, or about the request, is an error', async () => {
  const refuse = (status: number, message: string): WireStepInput => ({
    refuse: { status, body: JSON.stringify({ error: { message } }) },
  });
  await using setup = await openOn('openai-compatible', {
    turns: [
      { steps: [refuse(500, PARSE)] },
      { steps: [refuse(500, 'Failed to parse messages: unexpected role')] },
      { steps: [refuse(400, 'Failed to parse input')] },
    ],
  });
  expect((await failureOf(send(setup.model, { tools: [] }))).code).toBe('MODEL_STREAM_BROKEN');
  expect((await failureOf(send(setup.model))).code).toBe('MODEL_STREAM_BROKEN');
  expect((await failureOf(send(setup.model))).code).toBe('MODEL_BAD_REQUEST');
});
