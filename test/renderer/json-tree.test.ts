import { describe, expect, it } from 'vitest';
import { entriesOf, type JsonNode, readJson } from '#renderer/store/json-tree.ts';

function rootOf(text: string): JsonNode {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(`Line ${reading.line}, column ${reading.column}`);
  return reading.root;
}

/** All of a tree, each value as it is written. */
function shown(text: string, node: JsonNode = rootOf(text)): unknown {
  if (node.kind === 'value') return text.slice(node.start, node.end);
  const entries = entriesOf(text, node, 1_000);
  expect(entries).toHaveLength(node.size);
  return node.kind === 'list'
    ? entries.map((entry) => shown(text, entry))
    : entries.map((entry) => [entry.name, shown(text, entry)]);
}

describe('JSON as a tree', () => {
  it('shows every entry as it is written: long numbers, names that occur twice, marks in strings', () => {
    const text =
      '\uFEFF \n{"a":[1,12345678901234567890, -0.10e+2 ,[],{}],\t"a" : "x,]}\\"\\\\", "{": null ,"":[[true]]}\n';
    expect(shown(text)).toEqual([
      ['"a"', ['1', '12345678901234567890', '-0.10e+2', [], []]],
      ['"a"', '"x,]}\\"\\\\"'],
      ['"{"', 'null'],
      ['""', [['true']]],
    ]);
    expect(shown('"alone"')).toBe('"alone"');
  });

  it('reads as many entries as are shown', () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => at));
    const root = rootOf(text);
    expect(root.size).toBe(5_000);
    expect(entriesOf(text, root, 3).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['0', '1', '2'],
    ]);
  });

  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ["{'a': 1}", 1, 2],
    ['{"a":1}\n x', 2, 2],
    ['{\n  "a": tru\n}', 2, 8],
    ['["a\nb"]', 1, 4],
    ['["\\x"]', 1, 3],
    ['["open', 1, 7],
    ['[01]', 1, 2],
    ['[1}', 1, 3],
    ['[NaN]', 1, 2],
    [']', 1, 1],
  ])('names the place where %j stops being JSON', (text, line, column) => {
    expect(readJson(text)).toEqual({ ok: false, line, column });
  });

  it('reads 5 MB and deep nesting in time that grows with the text alone', () => {
    const entry = { id: 1, name: 'x'.repeat(60), tags: ['a', 'b'], nested: { deep: [1, [2]] } };
    const large = JSON.stringify(Array.from({ length: 40_000 }, () => entry));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const broken = [`${large.slice(0, -1)}x`, `${'['.repeat(100_000)}x`, `["${'\\\\'.repeat(1e6)}`];
    const before = process.cpuUsage();
    expect(large.length).toBeGreaterThan(4_500_000);
    expect(entriesOf(large, rootOf(large), 100)).toHaveLength(100);
    let node = rootOf(deep);
    for (let level = 0; level < 256; level++) [node = node] = entriesOf(deep, node, 100);
    expect(node.start).toBe(256);
    expect(broken.map((text) => readJson(text).ok)).toEqual([false, false, false]);
    const { user } = process.cpuUsage(before);
    // A third of a second; with the square of the text it would be minutes.
    expect(user / 1_000).toBeLessThan(5_000);
  });
});
