import { describe, expect, it } from 'vitest';
import { checkWrite } from '#main/apps/check-write.ts';
import { expectLinearWork } from '../../setup/growth.ts';

const kindOf = (path: string, after: string, before: string | null = null): string =>
  checkWrite({ path, before, after })?.kind ?? 'fine';
const code = (line: string): string =>
  `import { a } from './a.js';\n\nexport function run() {\n  ${line}\n  return a;\n}\n`;
const longFile = Array.from({ length: 60 }, (_, at) => `const value${at} = ${at};`).join('\n');

describe('a comment that stands for code', () => {
  it.each([
    '// ... rest of the code unchanged',
    '// ... existing code ...',
    '// …rest of the component',
    '// rest of the code remains the same',
    '// The rest of the file stays unchanged',
    '/* existing code here */',
    '/* ... other handlers ... */',
    '// previous code',
    '// existing imports',
    '// (unchanged)',
    '// same as before',
    '// omitted for brevity',
    '// other functions remain unchanged',
    '// keep the rest as it is',
    '// your code here',
    '// Your existing code goes here',
    '// Add the remaining routes',
    '// 其余代码不变',
    '// ……其他代码保持不变',
    '// 此处省略',
    '// Der Rest bleibt unverändert',
    '// le reste du code',
    '// el resto del código',
    '...',
  ])('%s', (line) => {
    expect(kindOf('app/src/main.js', code(line))).toBe('placeholder');
    expect(kindOf('app/src/App.tsx', code(line))).toBe('placeholder');
  });

  it.each([
    ['index.html', '<ul>\n<!-- same as before -->\n</ul>'],
    ['index.html', '<main>\n  <!-- ... rest of the page ... -->\n</main>'],
    ['App.tsx', 'return (<main>\n  {/* ... existing form ... */}\n</main>);'],
    ['App.tsx', 'return (<main>\n  {/* Rest of the component stays the same */}\n</main>);'],
    ['App.vue', '<template>\n  <!-- existing content here -->\n</template>'],
    ['style.css', 'body {}\n/* ... existing styles ... */'],
    ['server.py', 'import os\n# ... rest of the code\n'],
    ['server.py', 'import os\n# existing code remains unchanged\n'],
  ])('in %s: %s', (path, text) => {
    expect(kindOf(path, text)).toBe('placeholder');
  });

  it('is named with its line and what to do', () => {
    expect(checkWrite({ path: 'a.ts', before: null, after: code('// existing code') })).toEqual({
      kind: 'placeholder',
      line: 4,
      message:
        'Line 4 stands for code that was left out. Write the whole file, with every line that belongs in it.',
    });
  });
});

describe('good code is left alone', () => {
  it.each([
    'const [first, ...rest] = items;',
    'const all = { ...existing, name };',
    'function sum(...rest) {}',
    "const text = '... rest of the code unchanged';",
    "status.textContent = 'Loading...';",
    '// Sort the rest of the items by date',
    '// The other player moves next',
    '// Keep the previous value, so that undo works',
    '// Remaining time in seconds',
    '// Nothing changes for existing users',
    '// Existing habits are merged by name',
    '// Other origins are refused',
    '// Same order as in the list',
    '// If unchanged, skip the request',
    '// Wait for the rest of the animation...',
    '// TODO: sort',
    '// All rights reserved',
    '// Use the original width',
    '// 1. Load the previous state, 2. render, 3. wait ...',
    '// Old browsers need this',
    '// Handles the remaining cases',
    '/* Layout */',
    '/* ---------- */',
    '// 其他用户的习惯',
    '// 之前的状态用于撤销',
    'spread(...other);',
  ])('%s', (line) => {
    expect(kindOf('app/src/main.js', code(line))).toBe('fine');
  });

  it.each([
    ['README.md', 'The rest of the code stays unchanged.\n\n...\n\n<!-- existing code -->'],
    ['notes.txt', '// existing code here'],
    ['App.tsx', 'return <input placeholder="Existing code here" />;'],
    ['App.tsx', 'return <p>... rest of the code unchanged</p>;'],
    ['index.html', '<p>Your code here</p>\n<p>...</p>'],
    ['index.html', '<!-- Header -->\n<header></header>'],
    ['style.css', '/* Buttons: same height as fields */\nbutton { height: 2rem }'],
    ['server.py', '# Reads the other file\nopen("x")\n...\n'],
  ])('%s: %s', (path, text) => {
    expect(kindOf(path, text)).toBe('fine');
  });
});

describe('a file that loses most of itself', () => {
  it.each([
    ['a third is gone', longFile.split('\n').slice(0, 40).join('\n'), 'fine'],
    ['two thirds are gone', longFile.split('\n').slice(0, 20).join('\n'), 'lost_half'],
    ['it is emptied', '', 'lost_half'],
    ['it is written anew in the same length', longFile.replaceAll('const', 'let'), 'fine'],
    ['it is written anew, much shorter', 'export * from "./all.js";', 'lost_half'],
    ['only spaces change', longFile.replaceAll('\n', '\n\n  '), 'fine'],
  ])('%s', (_what, after, expected) => {
    expect(kindOf('src/values.js', after, longFile)).toBe(expected);
  });

  it('a short file may', () => {
    expect(kindOf('src/a.js', '', 'const a = 1;\nconst b = 2;\n')).toBe('fine');
  });
});

describe('package.json and other JSON', () => {
  const manifest = (scripts: unknown): string => JSON.stringify({ name: 'app', scripts });
  it.each([
    ['{ "name": "app", }', 'broken_package_json'],
    ['[]', 'broken_package_json'],
    ['"app"', 'broken_package_json'],
    ['{ "dependencies": ["react"] }', 'broken_package_json'],
    ['{ "scripts": { "dev": 1 } }', 'broken_package_json'],
    [manifest({ build: 'vite build' }), 'dropped_dev_script'],
    [manifest({}), 'dropped_dev_script'],
    [manifest({ dev: 'vite --port 3000' }), 'fine'],
    [manifest({ dev: 'next dev', test: 'vitest' }), 'fine'],
  ])('%s', (after, expected) => {
    expect(kindOf('app/package.json', after, manifest({ dev: 'vite' }))).toBe(expected);
  });

  it('a new one needs no script', () => {
    expect(kindOf('package.json', '{"name":"x"}')).toBe('fine');
  });

  it('other files must be JSON, those with comments excepted', () => {
    expect(kindOf('data.json', '{ "a": 1, }')).toBe('broken_json');
    expect(kindOf('data.json', '[1, 2]')).toBe('fine');
    expect(kindOf('tsconfig.json', '{ /* strict */ "a": 1, }')).toBe('fine');
    expect(kindOf('jsconfig.app.json', '// x\n{}')).toBe('fine');
    expect(checkWrite({ path: 'a.json', before: null, after: '{\n "a": 1,\n}' })?.line).toBe(3);
  });
});

it('reads long hostile texts in a time that grows with them', () => {
  const hostile = (lines: number): string =>
    `// ${'rest other existing '.repeat(7)}\n`.repeat(lines);
  expectLinearWork(hostile, (text) => kindOf('a.js', text), 2_000);
  expect(kindOf('a.js', hostile(100))).toBe('fine');
});
