import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCycles } from './import-cycles.ts';
import { checkImports } from './import-table.ts';

const root = path.resolve(import.meta.dirname, '../..');

function readSources(): Map<string, string> {
  const files = globSync('{src-main,src-preload,src-renderer}/**/*.{ts,tsx}', { cwd: root });
  return new Map(
    files
      .map((file) => file.split(path.sep).join('/'))
      .sort()
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
}

test('every module of the app follows the import table', () => {
  const sources = readSources();
  const found = checkImports(sources).map(
    ({ file, line, rule, text }) => `${file}:${line} [${rule}] ${text}`,
  );
  expect(found).toEqual([]);
  // An empty result proves nothing if nothing was read.
  expect(sources.size).toBeGreaterThan(50);
  expect([...sources.keys()]).toContain('src-main/storage/connection.ts');
});

/** The rules that these sources break. */
function broken(sources: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(sources))).map(({ rule }) => rule);
}

describe('the checker', () => {
  test('accepts what the table allows', () => {
    expect(
      broken({
        'src-main/run/a.ts': `
          import { readFile } from 'node:fs/promises';
          import Database from 'better-sqlite3';
          import { b } from '../storage/b.ts';
          import { Run } from '#contract/entities.ts';
          import { own } from './own.ts';
          import type { Pack } from 'tar-stream';
          const { StateGraph } = await import('@langchain/langgraph');
          export { b, own, Run, readFile, Database, StateGraph };
          export type { Pack };`,
        'src-main/cli/serve.ts': `import { serve } from '../web/server.ts'; import '../compose.ts';`,
        'src-main/window/electron-ipc.ts': `import { ipcMain } from 'electron';`,
        'src-preload/index.ts': `import { ipcRenderer } from 'electron'; import './contract/a.ts';`,
        'src-preload/contract/a.ts': `import { z } from 'zod'; import './b.ts';`,
        'src-renderer/store/a.ts': `import '#contract/entities.ts'; import './style.css'; import 'react';`,
        'src-renderer/settings/a.tsx': `
          import '../components/b.tsx'; import '../format.ts'; import '../session-context.ts';
          import '../dialogs/c.tsx'; import type { D } from '../store/d.ts';`,
        'src-renderer/app.tsx': `import './panels/b.tsx'; await import('./settings/a.tsx'); import './theme.ts';`,
        'src-renderer/bridge/connect.ts': 'export const preload = window.hyperagent;',
        'src-main/window/external-links.ts': 'shell.openExternal(url);',
      }),
    ).toEqual([]);
  });

  test.each([
    ['a higher layer', 'src-main/storage/a.ts', `import '../run/b.ts';`],
    ['a higher layer, for a type', 'src-main/base/a.ts', `import type { B } from '../run/b.ts';`],
    ['a type by import()', 'src-main/base/a.ts', `type B = import('../run/b.ts').B;`],
    ['a higher layer, lazily', 'src-main/tools/a.ts', `await import('../agents/b.ts');`],
    ['a higher layer, re-exported', 'src-main/tools/a.ts', `export { b } from '../agents/b.ts';`],
    ['a higher layer, by a pattern', 'src-main/tools/a.ts', `import.meta.glob('../agents/*.ts');`],
    ['a folder of the same row', 'src-main/storage/a.ts', `import '../guardrails/b.ts';`],
    ['main from the contract', 'src-preload/contract/a.ts', `import '#main/base/b.ts';`],
    ['compose from below', 'src-main/api/a.ts', `import '../compose.ts';`],
    ['the other side of the bridge', 'src-main/run/a.ts', `import '#renderer/store/b.ts';`],
    ['main from the window', 'src-renderer/store/a.ts', `import '../../src-main/base/ids.ts';`],
    [
      'the preload from the window',
      'src-renderer/store/a.ts',
      `import '../../src-preload/index.ts';`,
    ],
    ['main from the preload', 'src-preload/index.ts', `import '../src-main/base/ids.ts';`],
    ['a folder that is not in the table', 'src-main/misc/a.ts', `import '../base/ids.ts';`],
    ['an alias of a higher layer', 'src-main/base/a.ts', `import '#main/run/b.ts';`],
    ['a panel from the settings', 'src-renderer/settings/a.tsx', `import '../panels/chat/b.tsx';`],
    ['the settings from a panel', 'src-renderer/panels/a.tsx', `import '../settings/b.tsx';`],
    [
      'the settings from a panel, lazily',
      'src-renderer/panels/a.tsx',
      `await import('../settings/b.tsx');`,
    ],
    ['a component from the store', 'src-renderer/store/a.ts', `import '../components/b.tsx';`],
    [
      'the store from the strings, for a type',
      'src-renderer/strings/a.ts',
      `import type { B } from '../store/b.ts';`,
    ],
    ['the app from a dialog', 'src-renderer/dialogs/a.tsx', `import '../theme.ts';`],
    [
      'a folder of the window that is not in the table',
      'src-renderer/misc/a.ts',
      `import '../format.ts';`,
    ],
  ])('reports %s', (_what, file, source) => {
    expect(broken({ [file]: source })).toEqual(['table']);
  });

  test.each([
    ['electron', 'src-main/run/a.ts', `import type { BrowserWindow } from 'electron';`],
    ['electron', 'src-main/transport/router.ts', `import { ipcMain } from 'electron/main';`],
    ['electron', 'src-main/web.ts', `const { app } = require('electron');`],
    ['contract', 'src-preload/contract/a.ts', `import 'node:fs';`],
    ['contract', 'src-preload/contract/a.ts', `import React from 'react';`],
    ['base', 'src-main/base/a.ts', `import { z } from 'zod';`],
    ['browser', 'src-renderer/store/a.ts', `import { join } from 'node:path';`],
    ['browser', 'src-renderer/store/a.ts', `import { join } from 'path';`],
    ['lazy', 'src-main/documents/a.ts', `import tar from 'tar-stream';`],
    ['lazy', 'src-main/agents/a.ts', `import { tool } from '@langchain/core/tools';`],
    [
      'lazy',
      'src-main/storage/a.ts',
      `import { JournalCheckpointer } from './journal-checkpointer.ts';`,
    ],
    ['computed', 'src-main/run/a.ts', 'await import(name);'],
    ['computed', 'src-main/run/a.ts', 'import.meta.glob(pattern);'],
    ['export-star', 'src-main/run/a.ts', `export * from './b.ts';`],
    ['export-star', 'src-main/run/a.ts', `export * as b from './b.ts';`],
    ['default-export', 'src-main/run/a.ts', 'export default 1;'],
    ['default-export', 'src-main/run/a.ts', 'const a = 1; export { a as default };'],
    ['open-external', 'src-main/window/menu.ts', 'shell.openExternal(url);'],
    ['open-external', 'src-main/window/menu.ts', `shell['openExternal'](url);`],
    ['open-external', 'src-main/window/menu.ts', 'const { openExternal } = shell;'],
    ['open-external', 'src-main/window/external-links.ts', 'shell.openPath(file);'],
    ['open-external', 'src-main/window/main-window.ts', 'window.loadFile(file);'],
    ['bridge', 'src-renderer/panels/a.tsx', 'export const a = <p>{window.hyperagent}</p>;'],
    ['bridge', 'src-renderer/store/a.ts', 'globalThis.hyperagent?.request();'],
    ['bridge', 'src-renderer/store/a.ts', 'const { hyperagent } = window;'],
    ['syntax', 'src-main/run/a.ts', 'import {'],
  ])('reports %s in %s: %s', (rule, file, source) => {
    expect(broken({ [file]: source })).toContain(rule);
  });

  test('reports file and line', () => {
    const sources = new Map([['src-main/base/a.ts', `\n\nimport '../run/b.ts';`]]);
    expect(checkImports(sources)).toEqual([
      {
        file: 'src-main/base/a.ts',
        line: 3,
        rule: 'table',
        text: 'base may not import run (src-main/run/b.ts)',
      },
    ]);
  });

  test('reports cycles, but not those of types or lazy imports', () => {
    expect(
      checkImports(
        new Map([
          ['src-main/run/a.ts', `import { b } from './b.ts'; export const a = b;`],
          ['src-main/run/b.ts', `import { c } from './c.ts'; export const b = c;`],
          ['src-main/run/c.ts', `export { a as c } from './a.ts';`],
          ['src-main/run/d.ts', `import type { E } from './e.ts'; export type D = E;`],
          ['src-main/run/e.ts', `import { d } from './d.ts'; export type E = typeof d;`],
          ['src-main/run/f.ts', `await import('./g.ts');`],
          ['src-main/run/g.ts', `import './f.ts';`],
          ['src-main/run/all.ts', `import.meta.glob('./each/*.ts', { eager: true });`],
          ['src-main/run/each/h.ts', `import '../all.ts';`],
          ['src-main/run/later.ts', `import.meta.glob('./late/*.ts');`],
          ['src-main/run/late/i.ts', `import '../later.ts';`],
        ]),
      ).map(({ text }) => text),
    ).toEqual([
      'import each other: src-main/run/a.ts, src-main/run/b.ts, src-main/run/c.ts',
      'import each other: src-main/run/all.ts, src-main/run/each/h.ts',
    ]);
  });

  test('finds every cycle of a graph, including self-imports', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['a', 'c']],
      ['c', ['d', 'outside']],
      ['d', ['c']],
      ['e', ['e', 'a']],
      ['f', ['a']],
    ]);
    expect(findCycles(graph)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });
});
