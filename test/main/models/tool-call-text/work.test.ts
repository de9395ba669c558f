import { describe, expect, test } from 'vitest';
import { AnswerBuilder } from '#main/models/answer-builder.ts';
import { read, TOOLS } from './reading.ts';

const CALL = '<tool_call>{"name": "lookup", "arguments": {"word": "sloe"}}</tool_call>';
const MINIMAX = ']<]minimax[>[';

interface Shape {
  /** Of the small text; the large one is eight times as long. */
  readonly units: number;
  readonly make: (units: number) => string;
}

const filled =
  (unit: string, before = '', after = '') =>
  (units: number): string =>
    before + unit.repeat(Math.ceil(units / unit.length)) + after;

/** Answers that make a parser which looks at a place more than a few times look at it without end. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'marks that may stand between calls': { units: 4_000, make: filled('<｜tool▁call▁begin｜>') },
  'calls that break off, within thinking': {
    units: 8_000,
    make: filled('<｜DSML｜invoke name="move">', '<think>'),
  },
  'marks of arguments within an argument': {
    units: 8_000,
    make: filled(
      '<arg_key>',
      '<tool_call>lookup<arg_key>word</arg_key><arg_value>',
      '</arg_value>',
    ),
  },
  'Python calls, each with an open quote': { units: 4_000, make: filled('lookup(a="x),') },
  'Python calls, each with an open list': {
    units: 4_000,
    make: filled('lookup(a=["x),', '', '"]'),
  },
  'Python that a call before it begins again': { units: 40_000, make: filled(`${CALL}[lookup(`) },
  'white space behind a quote': { units: 2_000, make: filled(' ', 'lookup(a="x"', 'x)') },
  'marks behind Python': { units: 4_000, make: filled('<|a|>\n', '[lookup(', 'x') },
  'calls of gemma, none of them closed': {
    units: 60_000,
    make: filled('call:now{}', '<|tool_call>'),
  },
  'a number of gemma': {
    units: 4_000,
    make: filled('1', '<|tool_call>call:move{x:', 'x}<tool_call|>'),
  },
  'elements of minimax in each other': {
    units: 8,
    make: (units) => {
      const [open, close] = [`${MINIMAX}<item>`, `${MINIMAX}</item>`];
      const leaves = `${open}1${close}`.repeat(100 * units);
      const nested = open.repeat(units) + leaves + close.repeat(units);
      return `${MINIMAX}<tool_call>${MINIMAX}<invoke name="tag">${nested}${MINIMAX}</invoke>`;
    },
  },
  'an attribute without a value': {
    units: 120,
    make: (units) =>
      `<invoke name="lookup">${`<parameter ${'a'.repeat(units)} name="k">v</parameter>`.repeat(200)}`,
  },
  'blocks in blocks': {
    units: 40,
    make: (units) =>
      Array.from({ length: units }, (_, at) => `${'`'.repeat(units + 3 - at)}json\n${CALL}\n`).join(
        '',
      ),
  },
  'an indented mark': {
    units: 500,
    make: (units) => `${' '.repeat(units)}x<|end|>\n\n`.repeat(20),
  },
  'words that open a sentence': {
    units: 2,
    make: (units) => `${'sure,  '.repeat(units)}q\n\`\`\`\n{}\n\`\`\`\n`,
  },
};

describe('the work grows with the length of an answer, and not faster', () => {
  test.each(Object.keys(SHAPES))('%s', (name) => {
    const { units, make } = SHAPES[name] as Shape;
    const [small, large] = [make(units), make(8 * units)];
    for (const chunk of [Number.POSITIVE_INFINITY, 40]) {
      const time = (text: string): number =>
        Math.min(
          ...Array.from({ length: 3 }, () => timed(() => read(cut(text, chunk), { tools: TOOLS }))),
        );
      time(small);
      // Eight times the length: quadratic work would take 64 times as long, however often it is measured. The
      // millisecond is for the clock; a machine that others use is measured again.
      const ratios: number[] = [];
      do ratios.push(time(large) / (time(small) + 1));
      while (ratios.length < 5 && (ratios.at(-1) ?? 0) >= 24);
      expect(Math.min(...ratios), `${ratios}`).toBeLessThan(24);
    }
  });
});

describe('patience', () => {
  const unread = `<tool_call>{"no": "${'x'.repeat(100_000)}"}\n`;

  test('a call that follows much that was none is still made', () => {
    const pieces = read([`${unread.repeat(2)}${CALL}`], { tools: TOOLS });
    expect(pieces.map(({ kind }) => kind)).toEqual(['text', 'call']);
  });

  test('past what any model writes in vain, the rest is text, to the last unit', () => {
    const text = `${unread.repeat(3)}${CALL}`;
    expect(read([text], { tools: TOOLS })).toEqual([{ kind: 'text', text }]);
    expect(read(cut(text, 777), { tools: TOOLS })).toEqual([{ kind: 'text', text }]);
  });

  test.each([
    ['brackets', '{   ', 80_000],
    ['lines of code', '\n`a`', 1_200],
    ['open blocks', "\nI'll call:\n```\n{\n  `\n  `\n```\n", 900],
  ])('what ends a chunk costs none of it: %s', (_what, unit, times) => {
    const text = `x${unit.repeat(times)}\n${CALL}`;
    const whole = read([text], { tools: TOOLS });
    expect(whole.map(({ kind }) => kind)).toEqual(['text', 'call']);
    expect(read(cut(text, 1), { tools: TOOLS })).toEqual(whole);
  });

  // Equal calls would be stopped as repetition, and before that.
  test.each<[string, (n: number) => string]>([
    ['marks', (n) => CALL.replace('sloe', `sloe${n}`)],
    ['JSON', (n) => `{"name": "now", "arguments": {"n": ${n}}}\n`],
  ])(
    'a model that makes calls without end, in %s, is stopped as one that streams them is',
    (_form, callOf) => {
      const answer = (calls: number): AnswerBuilder => {
        const builder = new AnswerBuilder({ messages: [], tools: TOOLS }, () => undefined);
        builder.text(Array.from({ length: calls }, (_, n) => callOf(n)).join(''));
        return builder;
      };
      expect(answer(500).build('stop').toolCalls).toHaveLength(500);
      const tooMany = expect.objectContaining({ code: 'MODEL_STREAM_BROKEN' });
      expect(() => answer(501).build('stop')).toThrow(tooMany);
      expect(() => answer(20_000).build('stop')).toThrow(tooMany);
    },
  );
});

function cut(text: string, size: number): string[] {
  if (size >= text.length) return [text];
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

/** Milliseconds that the thread worked: a busy machine makes it wait, which is no work. */
function timed(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}
