import { describe, expect, it } from 'vitest';
import { outline, read, TOOLS } from './reading.ts';

describe('a call that cannot run', () => {
  it.each([
    ['JSON', '<tool_call>{"name": "save", "arguments": {"path": "a'],
    [
      'JSON, an inner object closed',
      '<tool_call>{"name": "tag", "arguments": {"labels": [], "meta": {}',
    ],
    ['tags, in a value', '<tool_call><function=save><parameter=path>a'],
    ['Python', '<|tool_call_start|>[save(path="a'],
    ['mistral', '[TOOL_CALLS]save[ARGS]{"path": "a'],
    ['kimi', '<|tool_call_begin|>functions.save:0<|tool_call_argument_begin|>{"path": "a'],
    ['gemma', '<|tool_call>call:save{path:<|"|>a'],
    ['bare JSON', '{"name": "save", "arguments": {"path": "a'],
    [
      'JSON, only its last brace is missing',
      '<tool_call>{"name": "lookup", "arguments": {"word": "sloe"}</tool_call>',
    ],
    ['bare JSON, an array that is not closed', '[{"name": "now", "arguments": {}}'],
    [
      'JSON, an array that is not closed',
      '<tool_call>[{"name": "now", "arguments": {}}</tool_call>',
    ],
  ])('because it breaks off is refused, not made: %s', (_form, text) => {
    const made = outline(text, { tools: TOOLS }).map((piece) => Object.keys(Object(piece))[0]);
    expect(made).toEqual(['refused']);
  });

  it('because a limit cut it is refused even where only marks are missing', () => {
    const texts = [
      '<tool_call>{"name": "now", "arguments": {}',
      '<tool_call><function=save><parameter=path>a</parameter><parameter=content>b</parameter>',
      '<tool_call>save<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>b',
    ];
    expect(texts.map((text) => outline(text, { tools: TOOLS, cut: true }))).toEqual([
      [{ refused: 'now' }],
      [{ refused: 'save' }],
      [{ refused: 'save' }],
    ]);
  });

  it('may lack only its last marks at the end of a finished answer, if nothing is missing in it', () => {
    const open = '<tool_call><function=save><parameter=path>a</parameter>';
    const whole = `${open}<parameter=content>b</parameter>`;
    expect([outline(open, { tools: TOOLS }), outline(whole, { tools: TOOLS })]).toEqual([
      [{ refused: 'save' }],
      [{ save: { path: 'a', content: 'b' } }],
    ]);
  });

  it('leaves the calls beside it, in whatever form they are written', () => {
    const invoke = (name: string): string =>
      `<invoke name="${name}"><parameter name="word">sloe</parameter></invoke>`;
    for (const [open, close] of [
      ['<minimax:tool_call>', '</minimax:tool_call>'],
      ['<function_calls>', '</function_calls>'],
    ]) {
      const text = `${open}${invoke('nowt')}${invoke('lookup')}${close}`;
      expect(outline(text, { tools: TOOLS })).toEqual([
        { refused: 'nowt' },
        { lookup: { word: 'sloe' } },
      ]);
    }
  });

  it('because a tag gives one value twice is refused: neither is the right one', () => {
    const mark = ']<]minimax[>[';
    const word = (text: string): string => `${mark}<word>${text}${mark}</word>`;
    const text = `${mark}<tool_call>${mark}<invoke name="lookup">${word('sloe')}${word('gin')}${mark}</invoke>${mark}</tool_call>`;
    expect(outline(text, { tools: TOOLS })).toEqual([{ refused: 'lookup' }]);
  });

  it('says what is wrong, with what was written', () => {
    const text = '<tool_call>{"name": "nowt", "arguments": {"a": 1}}</tool_call>';
    expect(read([text], { tools: TOOLS })).toEqual([
      {
        kind: 'invalid',
        source: text,
        call: {
          id: 'id1',
          name: 'nowt',
          rawArguments: '{"a":1}',
          problem: 'There is no tool named "nowt".',
        },
      },
    ]);
  });

  it.each([
    [
      'gives an argument twice',
      '<function=lookup><parameter=word>a</parameter><parameter=word>b</parameter></function>',
    ],
    ['has an argument without a name', '<function name="lookup"><param>a</param></function>'],
    ['has a list for arguments', '<tool_call>{"name": "lookup", "arguments": ["a"]}</tool_call>'],
    ['has text for arguments', '[TOOL_CALLS] [{"name": "lookup", "arguments": "a"}]'],
    [
      'is addressed to another tool',
      ' to=now<|message|><atem:function_calls>\n<atem:invoke name="lookup">\n<atem:parameter name="word">a</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    ],
  ])('because it %s', (_why, text) => {
    expect(outline(text, { tools: TOOLS })).toEqual([{ refused: 'lookup' }]);
  });

  it('leaves its neighbours standing', () => {
    const text =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.lookup:0<|tool_call_argument_begin|>{"word": "a"<|tool_call_end|>' +
      '<|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>';
    expect(outline(text, { tools: TOOLS })).toEqual([{ refused: 'lookup' }, { now: {} }]);
  });
});
