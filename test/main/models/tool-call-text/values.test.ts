import { describe, expect, it } from 'vitest';
import { looseValue } from '#main/models/tool-call-text/grammar/literal.ts';
import { typedValue } from '#main/models/tool-call-text/grammar/typed-value.ts';
import { outline, TOOLS, tool } from './reading.ts';

describe('a value between tags', () => {
  it.each([
    ['5', { type: 'string' }, '5'],
    [' a ', { type: 'string' }, ' a '],
    ['null', { type: 'string' }, 'null'],
    ['5', { type: 'integer' }, 5],
    ['5.0', { type: 'integer' }, 5],
    ['5.5', { type: 'integer' }, '5.5'],
    [' 420 ', { type: 'number' }, 420],
    ['1.5e3', { type: 'number' }, 1500],
    ['about 5', { type: 'number' }, 'about 5'],
    ['12345678901234567890', { type: 'integer' }, '12345678901234567890'],
    ['True', { type: 'boolean' }, true],
    ['yes', { type: 'boolean' }, 'yes'],
    ['null', { type: ['integer', 'null'] }, null],
    ['{"a": 1}', { type: ['string', 'object'] }, { a: 1 }],
    ['{not json', { type: ['string', 'object'] }, '{not json'],
    ["{'a': [1, None]}", { type: 'object' }, { a: [1, null] }],
    ['[1, 2', { type: 'array' }, '[1, 2'],
    ['7', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 7],
    ['2', { enum: ['1', '2'] }, '2'],
    ['7', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }, 7],
    ['2024-06-27', undefined, '2024-06-27'],
    ['007', undefined, '007'],
    ['3.14', undefined, 3.14],
    ['"quoted"', undefined, '"quoted"'],
  ])('%j as %j', (text, schema, value) => {
    expect(typedValue(text, schema)).toEqual(value);
  });

  it('is what its attribute says, where names are written as in XML', () => {
    const odd = tool('odd "name" & <more>', { 'a&b': 'string' });
    const sep = '<|sep|>';
    const text = `<|open|>tools${sep}<|open|>call tool="odd &quot;name&quot; &amp; &lt;more&gt;" index="1"${sep}<|open|>argument key="a&amp;b" type="string"${sep}x &amp; y<|close|>argument${sep}<|close|>call${sep}<|close|>tools${sep}`;
    expect(outline(text, { tools: [odd] })).toEqual([{ [odd.name]: { 'a&b': 'x &amp; y' } }]);
  });

  it('keeps every space and line break but those that frame it', () => {
    const text =
      '<function=save>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n\n  x\n\n</parameter>\n</function>';
    expect(outline(text, { tools: TOOLS })).toEqual([{ save: { path: 'a', content: '\n  x\n' } }]);
  });

  it('may hold the marks of its own form', () => {
    const content = 'a </tool_call> b <arg_key> c </function> d <parameter=x> e';
    const tags = `<tool_call>\n<function=save>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;
    const pairs = `<tool_call>save\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`;
    const json = `<tool_call>${JSON.stringify({ name: 'save', arguments: { path: 'a', content } })}</tool_call>`;
    for (const text of [tags, pairs, json]) {
      expect(outline(text, { tools: TOOLS })).toEqual([{ save: { path: 'a', content } }]);
    }
  });

  it('that wraps all arguments is unwrapped, unless the tool has such an argument', () => {
    const text = '<invoke name="lookup"><parameter name="input">{"word": "a"}</parameter></invoke>';
    expect(outline(text, { tools: TOOLS })).toEqual([{ lookup: { word: 'a' } }]);
    expect(outline(text, { tools: [tool('lookup', { input: 'object' })] })).toEqual([
      { lookup: { input: { word: 'a' } } },
    ]);
  });

  it('may nest as deep as any reader of it can follow, and no deeper', () => {
    const call = (depth: number) =>
      `[TOOL_CALLS]lookup[ARGS]{"word": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const made = [200, 100_000].map((depth) => outline(call(depth), { tools: TOOLS })[0]);
    expect(made.map((piece) => Object.keys(Object(piece)))).toEqual([['lookup'], ['refused']]);
  });

  it('cannot reach a prototype', () => {
    const text = '<function=lookup><parameter=__proto__>{"word": "a"}</parameter></function>';
    const [made] = outline(text) as { lookup: object }[];
    expect([Object.getPrototypeOf(made?.lookup), Object.keys(made?.lookup ?? {})]).toEqual([
      Object.prototype,
      ['__proto__'],
    ]);
  });
});

describe('a Python literal', () => {
  it.each([
    ["'it\\'s'", "it's"],
    [String.raw`r'\n'`, String.raw`\n`],
    [String.raw`'\x41\u00e9\U0001F30D'`, 'Aé🌍'],
    ['"""a "b"\nc"""', 'a "b"\nc'],
    ['[1, 0x1f, 1_000, 007, -.5, 1e3,]', [1, 31, 1000, 7, -0.5, 1000]],
    ["{'a': (1, 2), 'b': {3}, 'c': {}}", { a: [1, 2], b: [3], c: {} }],
    ['[True, False, None, true, null]', [true, false, null, true, null]],
    ['[1, 2', undefined],
    ['open("x")', undefined],
    ['1 + 1', undefined],
  ])('%j', (text, value) => {
    expect(looseValue(text)).toEqual(value);
  });

  it('may hold quotes that nobody escaped', () => {
    const text = `<|tool_call_start|>[save(path='a', content='sed -n '1,2p' b')]<|tool_call_end|>`;
    expect(outline(text, { tools: TOOLS })).toEqual([
      { save: { path: 'a', content: "sed -n '1,2p' b" } },
    ]);
  });
});

describe('a name', () => {
  it('may carry the prefix of its namespace, or its own', () => {
    const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`;
    const names = ['now', 'functions.now', 'now.now', 'other.now', 'Now'];
    expect(names.map((name) => outline(call(name), { tools: TOOLS })[0])).toEqual([
      { now: {} },
      { now: {} },
      { now: {} },
      { refused: 'other.now' },
      { refused: 'Now' },
    ]);
  });
});
