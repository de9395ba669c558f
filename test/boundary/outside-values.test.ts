import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test('only contract/safe-parse.ts calls the safeParse of the library, which throws for some values', () => {
  const files = globSync('{src-main,src-preload}/**/*.ts', { cwd: root }).map((file) =>
    file.split(path.sep).join('/'),
  );
  const found = files.filter((file) =>
    /\.safeParse\(/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(found).toEqual(['src-preload/contract/safe-parse.ts']);
});
