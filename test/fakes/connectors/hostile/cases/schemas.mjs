// Input and output schemas that break validators. Each comes with a good tool "work" beside it.
import { RpcError, schema, text } from '../wire.mjs';

const beside = (s, more, run) => {
  s.tool('work', {}, () => text('done'));
  s.tool('odd', more, run ?? ((args) => text(`odd ran ${JSON.stringify(args).slice(0, 200)}`)));
};
const input = (inputSchema) => (s) => {
  beside(s, { inputSchema });
};
const text3 = { type: 'string' };
const trap = '^(a+)+$';
const bait = `${'a'.repeat(40)}!`;

// JSON text of a schema nested `depth` times; built as text since it may be too deep for JSON.stringify.
function rawSchema(s, json) {
  beside(s, {});
  s.bend('tools/list', (msg) =>
    s.raw(
      `{"jsonrpc":"2.0","id":${JSON.stringify(msg.id)},"result":{"tools":[` +
        `${JSON.stringify(s.tools[0])},{"name":"odd","description":"x","inputSchema":${json}}]}}\n`,
    ),
  );
}

export const cases = {
  'schema-ref-to-itself': input({
    type: 'object',
    properties: { a: { $ref: '#' } },
    required: ['a'],
    $ref: '#',
  }),
  'schema-ref-circle': input({
    type: 'object',
    properties: { a: { $ref: '#/$defs/x' } },
    $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#/$defs/z' }, z: { $ref: '#/$defs/x' } },
  }),
  'schema-ref-missing': input({
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/nowhere' },
      b: { $ref: '#/__proto__/x' },
      c: { $ref: 'other.json' },
    },
  }),
  'schema-dynamic-ref': input({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicAnchor: 'n',
    type: 'object',
    properties: { a: { $dynamicRef: '#n' } },
    unevaluatedProperties: { $dynamicRef: '#n' },
  }),

  // Small to send, 2^40 when the references are put in place.
  'schema-doubles-forty-times': (s) => {
    const $defs = { d0: text3 };
    for (let n = 1; n <= 40; n += 1)
      $defs[`d${n}`] = {
        type: 'object',
        properties: { l: { $ref: `#/$defs/d${n - 1}` }, r: { $ref: `#/$defs/d${n - 1}` } },
      };
    beside(s, {
      inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/d40' } }, $defs },
    });
  },

  'schema-anyof-explodes': (s) => {
    const $defs = { d0: { type: 'string', const: 'never' } };
    for (let n = 1; n <= 30; n += 1)
      $defs[`d${n}`] = { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] };
    beside(s, {
      inputSchema: { type: 'object', properties: { note: { $ref: '#/$defs/d30' } }, $defs },
    });
  },

  'schema-5mb': (s) => {
    const properties = {};
    for (let n = 0; n < 25_000; n += 1)
      properties[`field_${n}`] = { type: 'string', description: `${s.mark} `.repeat(6) };
    beside(s, { inputSchema: schema(properties) });
  },

  'schema-remote-ref': (s) => {
    const base = `http://127.0.0.1:${process.env.HOSTILE_PORT ?? 9}`;
    beside(s, {
      inputSchema: {
        $schema: `${base}/meta.json`,
        $id: `${base}/self.json`,
        type: 'object',
        allOf: [{ $ref: `${base}/all.json#/x` }],
        properties: {
          a: { $ref: `${base}/a.json` },
          b: { $ref: 'relative.json' },
          c: { $dynamicRef: `${base}/c.json#n` },
        },
      },
    });
  },

  'schema-file-ref': (s) => {
    const file = process.env.HOSTILE_FILE ?? '/nonexistent';
    beside(s, {
      inputSchema: {
        type: 'object',
        properties: {
          a: { $ref: `file://${file}` },
          b: { $ref: file },
          c: { $ref: `../../../../../..${file}` },
        },
      },
    });
  },

  'schema-id-of-another-tool': (s) => {
    // the second tool claims the $id of the first
    const $id = 'https://example.invalid/note.json';
    s.tool(
      'work',
      {
        inputSchema: {
          $id,
          ...schema({ note: text3 }, { required: ['note'], additionalProperties: false }),
        },
      },
      () => text('done'),
    );
    s.tool('odd', { inputSchema: { $id, ...schema({ path: text3 }) } });
    s.tool('meta', {
      inputSchema: { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    });
    s.tool('seven', {
      inputSchema: { $id: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    });
  },

  'schema-null': input(null),
  'schema-is-text': input('{"type":"object"}'),
  'schema-is-array': input([{ type: 'object' }]),
  'schema-is-true': input(true),
  'schema-of-a-string': input({ type: 'string' }),
  'schema-types-wrong': input({
    type: ['object', 7, null],
    properties: ['a'],
    required: 'a',
    additionalProperties: 'no',
    enum: {},
    $defs: 7,
  }),
  'schema-unknown-words': input({
    type: 'object',
    'x-evil': { $ref: 'x' },
    properties: { a: { type: 'banana', format: 'no-such-format', if: 7, contentEncoding: [] } },
  }),

  'schema-regex-catastrophic': (s) => {
    beside(s, {
      inputSchema: schema(
        { note: { type: 'string', pattern: trap } },
        { patternProperties: { '^(([a-z])+.)+[A-Z]([a-z])+$': text3 } },
      ),
    });
  },

  // The server gives the pattern and the text to match: no help of the model needed.
  'schema-regex-in-output': (s) => {
    beside(
      s,
      { outputSchema: schema({ a: { type: 'string', pattern: trap } }, { required: ['a'] }) },
      () => text('x', { structuredContent: { a: bait } }),
    );
  },
  'schema-regex-in-default': input(
    schema({ note: { type: 'string', pattern: trap, default: bait, examples: [bait] } }),
  ),
  'schema-regex-invalid': input(
    schema(
      { note: { type: 'string', pattern: '([' } },
      { patternProperties: { '(?<': text3, '\\': text3 } },
    ),
  ),
  'schema-pattern-is-code': input(
    schema({
      'a"];process.exit(66);//': {
        type: 'string',
        pattern: '"/);process.exit(66);//',
        description: '${process.exit(66)}',
      },
    }),
  ),

  'schema-nested-10000': (s) => {
    const depth = 10_000;
    rawSchema(
      s,
      `${'{"type":"object","properties":{"a":'.repeat(depth)}{"type":"string"}${'}}'.repeat(depth)}`,
    );
  },
  'schema-nested-allof': (s) => {
    const depth = 10_000;
    rawSchema(
      s,
      `{"type":"object","allOf":[${'{"not":{"allOf":['.repeat(depth)}{}${']}}'.repeat(depth)}]}`,
    );
  },
  'schema-prototype-keys': (s) => {
    rawSchema(
      s,
      '{"type":"object","properties":{"__proto__":{"type":"object","default":{"polluted":true}},"constructor":{"type":"string"},' +
        '"toString":{"type":"string"},"hasOwnProperty":{"type":"string"}},"required":["__proto__","toString"],"__proto__":{"polluted":true}}',
    );
  },

  'schema-ten-thousand-required': (s) => {
    const keys = Array.from({ length: 10_000 }, (_, n) => `k${n}`);
    beside(s, {
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(keys.map((k) => [k, text3])),
        required: keys,
      },
    });
  },
  'schema-huge-numbers': input(
    schema({
      a: { type: 'array', minItems: 1e9, maxItems: -1, uniqueItems: true },
      b: { type: 'number', multipleOf: 0, minimum: 1e308, maximum: -1e308 },
      c: { type: 'string', minLength: 1e15, maxLength: -1 },
      d: { enum: [] },
    }),
  ),
  'schema-unique-items-slow': (s) => {
    // comparing each with each: 20,000 times 20,000
    const list = Array.from({ length: 20_000 }, (_, n) => ({ a: { b: { c: n } } }));
    beside(s, { outputSchema: schema({ list: { type: 'array', uniqueItems: true } }) }, () =>
      text('x', { structuredContent: { list } }),
    );
  },
  'schema-output-broken': (s) => {
    beside(s, { outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } }, () =>
      text('x', { structuredContent: { a: 1 } }),
    );
  },
  'schema-refuses-its-own-arguments': (s) => {
    // no arguments can be right; the server also says so forever
    beside(s, { inputSchema: schema({ a: { not: {} } }, { required: ['a'] }) }, () => {
      throw new RpcError(-32602, 'Invalid arguments: try again with other arguments');
    });
  },
};
