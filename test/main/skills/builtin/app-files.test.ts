import { describe, expect, it } from 'vitest';
import { placeOf, readFiles } from '#main/skills/builtin/app-builder/read-files.ts';

/** Answers of models with files in them, in the forms in which models give them. */

const names = {
  folder: 'shop',
  known: ['shop/src/App.tsx', 'shop/src/index.css', 'shop/index.html', 'shop/src/data/items.json'],
  unnamed: null,
  fromTemplate: true,
};
const CODE = 'export default function App() {\n  return <h1>Shop</h1>;\n}';
const fence = (info: string, code = CODE): string => `\`\`\`${info}\n${code}\n\`\`\``;

const read = (answer: string, more: Partial<Parameters<typeof readFiles>[1]> = {}) =>
  Object.fromEntries(readFiles(answer, { ...names, ...more }));

describe('a file that is named', () => {
  it.each([
    ['in the line before', `src/App.tsx\n${fence('tsx')}`],
    ['in bold', `**src/App.tsx**\n\n${fence('tsx')}`],
    ['in a heading', `### \`src/App.tsx\`\n${fence('tsx')}`],
    ['with its number', `1. src/App.tsx:\n${fence('tsx')}`],
    ['as a file', `File: src/App.tsx\n${fence('typescript')}`],
    ['in a sentence', `Here is the new \`src/App.tsx\`:\n\n${fence('jsx')}`],
    ['as the language', fence('src/App.tsx')],
    ['beside the language', fence('tsx src/App.tsx')],
    ['after a colon', fence('tsx:src/App.tsx')],
    ['as a title', fence('tsx title="src/App.tsx"')],
    ['as filename', fence('tsx filename=src/App.tsx')],
    ['in braces', fence('tsx {file: "src/App.tsx"}')],
    ['in its first line', fence('tsx', `// src/App.tsx\n${CODE}`)],
    ['in its first line as a file', fence('tsx', `// File: src/App.tsx\n\n${CODE}`)],
    ['in its first line in stars', fence('tsx', `/* src/App.tsx */\n${CODE}`)],
    ['from the root', `/src/App.tsx\n${fence('tsx')}`],
    ['from here', `./src/App.tsx\n${fence('tsx')}`],
    ['with its folder', `shop/src/App.tsx\n${fence('tsx')}`],
    ['in the workspace', `/workspace/shop/src/App.tsx\n${fence('tsx')}`],
    ['by its name alone', `App.tsx\n${fence('tsx')}`],
    ['in other letters', `src/app.tsx\n${fence('tsx')}`],
    ['in longer fences', `src/App.tsx\n\`\`\`\`tsx\n${CODE}\n\`\`\`\``],
    ['in a fence that never ends', `src/App.tsx\n\`\`\`tsx\n${CODE}`],
    ['with lines of Windows', `src/App.tsx\r\n${fence('tsx').replaceAll('\n', '\r\n')}`],
  ])('%s', (_place, answer) => {
    expect(read(answer)).toEqual({ 'shop/src/App.tsx': `${CODE}\n` });
  });

  it('keeps the letters of a new one, wherever it is named', () => {
    const code = 'export const Cart = 1;';
    for (const answer of [
      fence('tsx src/parts/CartList.tsx', code),
      `src/parts/CartList.tsx\n${fence('tsx', code)}`,
      fence('tsx', `// src/parts/CartList.tsx\n${code}`),
    ]) {
      expect(read(answer)).toEqual({ 'shop/src/parts/CartList.tsx': `${code}\n` });
    }
  });

  it('comes with others, each its own', () => {
    const answer = `I changed two files.\n\nsrc/App.tsx\n${fence('tsx')}\n\nsrc/index.css\n${fence('css', 'h1 {}')}\n\nThat is all.`;
    expect(read(answer)).toEqual({
      'shop/src/App.tsx': `${CODE}\n`,
      'shop/src/index.css': 'h1 {}\n',
    });
  });

  it('is the last one where it comes twice', () => {
    const answer = `src/index.css\n${fence('css', 'a {}')}\n\nBetter:\n\nsrc/index.css\n${fence('css', 'b {}')}`;
    expect(read(answer)).toEqual({ 'shop/src/index.css': 'b {}\n' });
  });
});

describe('a block without a name', () => {
  const wanted = { unnamed: 'shop/src/App.tsx' };

  it.each([
    ['in its language', fence('tsx')],
    ['in the whole language', fence('typescript')],
    ['without a language', fence('')],
    ['after words', `Sure! Here is the file:\n\n${fence('tsx')}\n\nIt shows the shop.`],
    ['beside what to type', `${fence('bash', 'npm install && npm run dev')}\n\n${fence('tsx')}`],
    ['beside a shorter one', `${fence('tsx', '<App />')}\n\n${fence('tsx')}`],
    ['without any fence', CODE],
    ['after a sentence that names two', `src/App.tsx uses src/index.css:\n${fence('tsx')}`],
  ])('is the file that was asked for, %s', (_place, answer) => {
    expect(read(answer, wanted)).toEqual({ 'shop/src/App.tsx': `${CODE}\n` });
  });

  it.each([
    ['words', 'You could write a component that shows the shop.'],
    ['a command', fence('bash', 'npm run dev')],
    ['a refusal', "I'm sorry, but I can't help with that."],
    ['nothing', ''],
  ])('is not %s', (_name, answer) => {
    expect(read(answer, wanted)).toEqual({});
  });

  it('is nothing where no file was asked for', () => {
    expect(read(fence('tsx'))).toEqual({});
  });
});

describe('a name', () => {
  it.each([
    ['out of the folder', '../other/x.js'],
    ['far out of it', 'src/../../../etc/x.js'],
    ['of a package', 'node_modules/react/index.js'],
    ['of git', '.git/hooks/x.js'],
    ['of the app itself', '.hyperagent/x.py'],
    ['of a lock file', 'package-lock.json'],
    ['of the configuration', 'vite.config.ts'],
    ['of the packages', 'package.json'],
    ['too long', `${'a/'.repeat(120)}x.js`],
  ])('%s is no file of the app', (_name, said) => {
    expect(placeOf(said, names)).toBeNull();
    expect(read(`${said}\n${fence('js', 'x')}`)).toEqual({});
  });

  it('of the packages is one of a project that came from elsewhere', () => {
    expect(placeOf('package.json', { ...names, fromTemplate: false })).toBe('shop/package.json');
  });

  it('is not guessed where two files have it', () => {
    const known = ['shop/src/a/x.ts', 'shop/src/b/x.ts'];
    expect(placeOf('x.ts', { ...names, known })).toBe('shop/x.ts');
  });
});
