import { expect, test } from 'vitest';
import { parseYaml } from '#main/skills/markdown/yaml-parser.ts';

test.each([']', '}', '[', '{'])('a text of nothing but %s does not reach the library', (sign) => {
  expect(parseYaml(`name: ${sign.repeat(2_000)}`)).toEqual({
    problem: 'It has too many lists, fields and quotes.',
    line: null,
  });
});
