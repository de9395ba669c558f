import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolCallTextParser } from '#main/models/tool-call-text/parser.ts';
import { DECOYS } from '../../../fixtures/tool-call-decoys.ts';
import { trials } from '../../../setup/sampling.ts';
import { read, TOOLS } from './reading.ts';

const CALL = '{"name": "lookup", "arguments": {"word": "sloe"}}';

/** Pieces of every form, to be put together without sense. */
const FRAGMENTS = [
  'hello ',
  '\n',
  '\n\n',
  '    ',
  '> ',
  '"',
  '`',
  '```json\n',
  '```\n',
  '~~~',
  'é🌍',
  'For example: ',
  'I will look:\n',
  CALL,
  '{',
  '}',
  '[',
  ']',
  '<tool_call>',
  '</tool_call>',
  '<function=lookup>',
  '<parameter=word>',
  '</parameter>',
  '</function>',
  '<invoke name="lookup">',
  '</invoke>',
  'now\n',
  '<arg_key>',
  'word</arg_key>',
  '<arg_value>',
  '</arg_value>',
  '[TOOL_CALLS]',
  'lookup[ARGS]{"word": "a"}',
  '<|tool_call_start|>',
  '[lookup(word="a")]',
  '<|tool_call_end|>',
  '<|tool_call>',
  'call:lookup{word:<|"|>a<|"|>}',
  '<tool_call|>',
  '<think>',
  '</think>',
  '<|channel|>analysis',
  ' to=lookup',
  '<|message|>',
  '<|end|>',
  '<|start|>assistant',
  ']<]minimax[>[',
  '<tool_response>',
  '</tool_response>',
  'functools[',
  '>>>lookup\n',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  'lookup:0',
  '<|tool_call_argument_begin|>',
  '<｜tool▁calls▁begin｜>',
  'function<｜tool▁sep｜>lookup\n',
];

const answers = fc.oneof(
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 16 }).map((parts) => parts.join('')),
  fc.constantFrom(...DECOYS),
);

describe('where a chunk ends', () => {
  it('changes no result', () => {
    const options = fc.record({
      tools: fc.constantFrom(undefined, TOOLS),
      startsInThinking: fc.boolean(),
      cut: fc.boolean(),
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
    const property = fc.property(answers, options, lengths, (text, how, sizes) => {
      const whole = read([text], how);
      expect(read(text.split(''), how)).toEqual(whole);
      expect(read(chunks(text, sizes), how)).toEqual(whole);
    });
    fc.assert(property, trials(1500, { name: 'answers cut into chunks', size: 300 }));
  });

  it('leaves plain prose as it is, to the last space', () => {
    const words = fc.constantFrom(
      'one',
      'two,',
      '(three)',
      'a < b',
      '{x}',
      '[y]',
      '\n',
      '* ',
      '  ',
      '>',
    );
    const property = fc.property(fc.array(words), (parts) => {
      const text = parts.join(' ');
      expect(read(text.split(''), { tools: TOOLS })).toEqual(
        text === '' ? [] : [{ kind: 'text', text }],
      );
    });
    fc.assert(property, trials(500, { name: 'answers without calls', size: 200 }));
  });
});

describe('a stream', () => {
  it('hands plain text on at once, and holds back only what may be a mark', () => {
    const parser = createToolCallTextParser({ tools: TOOLS });
    const chunks = ['Well, ', 'a <z', ' and a <tool', 'box', ' or <tool_c', 'alling'];
    const heard = chunks.map((chunk) =>
      parser.push(chunk).map((piece) => (piece.kind === 'text' ? piece.text : piece.kind)),
    );
    expect(heard).toEqual([
      ['Well,'],
      [' a <z'],
      [' and a'],
      [' <toolbox'],
      [' or'],
      [' <tool_calling'],
    ]);
  });

  it('hands a call on when its closing mark is there, and nothing of it before', () => {
    const parser = createToolCallTextParser({ tools: TOOLS });
    const text = `<tool_call>\n${CALL}\n</tool_call`;
    const early = text.split('').flatMap((unit) => parser.push(unit));
    const late = parser.push('>').map((piece) => piece.kind);
    expect([early, late]).toEqual([[], ['call']]);
  });

  it('hands thoughts on as they come', () => {
    const parser = createToolCallTextParser({ startsInThinking: true, tools: TOOLS });
    expect([parser.push('I wonder'), parser.push('.</think>Yes.')]).toEqual([
      [{ kind: 'reasoning', text: 'I wonder' }],
      [
        { kind: 'reasoning', text: '.' },
        { kind: 'text', text: 'Yes.' },
      ],
    ]);
  });
});

function chunks(text: string, sizes: readonly number[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = sizes[parts.length % sizes.length] ?? 1;
    parts.push(text.slice(at, at + size));
    at += size;
  }
  return parts;
}
