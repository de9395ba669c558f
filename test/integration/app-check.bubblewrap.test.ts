import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppTemplate } from '#contract/apps.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { type OpenApps, openApps } from '../fakes/apps/open-apps.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';

type Files = Readonly<Record<string, string>>;

const LIST = `import { useState } from 'react';

export default function App() {
  const [items, setItems] = useState<string[]>(['Tea']);
  const [name, setName] = useState('');
  const add = () => { setItems([...items, name]); setName(''); };
  return (
    <main className="box">
      <h1>Shopping</h1>
      <form onSubmit={(event) => { event.preventDefault(); add(); }}>
        <label>Item <input value={name} onChange={(event) => setName(event.target.value)} /></label>
        <button>Add</button>
      </form>
      <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
    </main>
  );
}
`;
const app = (change: (source: string) => string): Files => ({ 'src/App.tsx': change(LIST) });
const script = (source: string): Files => ({ 'src/main.js': source });
const shows = (html: string): string =>
  `document.querySelector('#app').innerHTML = ${JSON.stringify(html)};`;
const server = (rest: string): Files => ({
  'server.js': `import express from 'express';\nconst app = express();\napp.use(express.static('public'));\n${rest}\napp.listen(3000);\n`,
});

/** What is right, although a careless check would say something. */
const GOOD: readonly [name: string, template: AppTemplate, files: Files][] = [
  ['a form', 'react', app((source) => source)],
  [
    'a page that comes late, and speaks of errors',
    'static',
    script(`setTimeout(() => { ${shows('<h1>Late</h1>')} }, 900);\nconsole.log('error: none');`),
  ],
  ['a drawing alone', 'static', script(shows('<canvas width="200" height="100"></canvas>'))],
  [
    'a wide table in a box that scrolls',
    'static',
    script(
      shows(
        `<div style="overflow-x:auto"><table><tr>${'<td>many words</td>'.repeat(30)}</table></div>`,
      ),
    ),
  ],
  [
    'pale text that can still be read',
    'static',
    script(shows('<h1>Tea</h1><p style="color: #888">A hint</p>')),
  ],
  [
    'a page that axe cannot judge',
    'static',
    script(`${shows('<h1>Tea</h1><button></button>')}
document.querySelectorAll = new Proxy(document.querySelectorAll, {
  apply: (all, self, [selector]) => (selector === '*' ? null : all.call(self, selector)),
});`),
  ],
  [
    'an answer that is expected',
    'express',
    {
      'public/app.js':
        "const r = await fetch('/api/none');\ndocument.querySelector('#app').textContent = r.ok ? 'yes' : 'not found';",
    },
  ],
];

/** It keeps its data in a file of its own. */
const DATA_SERVER = server(
  "import { writeFileSync } from 'node:fs';\napp.get('/api/health', (_request, response) => {\n  writeFileSync('data.json', String(Date.now()));\n  response.json({ ok: true });\n});",
);

/** What is wrong: the kind and the place of the first problem. */
const FAULTS: readonly [name: string, template: AppTemplate, files: Files, first: string][] = [
  [
    'a package that is not there',
    'react',
    app((source) => `import { LineChart } from 'recharts';\n${source}`),
    'types app/src/App.tsx:1',
  ],
  [
    'a page that a style hides',
    'react',
    { ...app((source) => source), 'src/index.css': '.box { display: none; }' },
    'blank app/src/index.css:1',
  ],
  [
    'a page that is too wide for a phone',
    'react',
    { ...app((source) => source), 'src/index.css': '.box { width: 900px; }' },
    'overflow app/src/index.css:1',
  ],
  [
    'a form without a handler',
    'react',
    app((source) => source.replace(/ onSubmit=\{.*\}>/, '>')),
    'nothing_happens app/src/App.tsx:12',
  ],
  [
    'a button that does nothing',
    'react',
    app((source) => source.replace(' add();', '')),
    'nothing_happens app/src/App.tsx:12',
  ],
  [
    'a handler that throws',
    'react',
    app((source) => source.replace('setItems([...items, name]);', 'JSON.parse(name);')),
    'error app/src/App.tsx:6',
  ],
  [
    'a button that no screen reader can name',
    'react',
    app((source) => source.replace('</form>', '</form><button className="plus"><svg /></button>')),
    'accessibility app/src/App.tsx:13',
  ],
  [
    'text that can hardly be read',
    'react',
    { ...app((source) => source), 'src/index.css': '\nh1 { color: #ccc; }' },
    'accessibility app/src/index.css:2',
  ],
  [
    'a document without a language',
    'static',
    { 'index.html': '<!doctype html>\n<html>\n<title>Tea</title><h1>Tea</h1></html>' },
    'accessibility app/index.html:2',
  ],
  [
    'a picture that is not there',
    'static',
    script(shows('<h1>x</h1><img src="/no.png" alt="">')),
    'missing_image app/src/main.js:1',
  ],
  [
    'a wrong element',
    'static',
    script("document.querySelector('#root').innerHTML = 'x';"),
    'error app/src/main.js:1',
  ],
  ['a server that does not parse', 'express', server('app.get('), 'server app/server.js:5'],
  [
    'a server without a module',
    'express',
    server("import db from './db.js';"),
    'server app/server.js:1',
  ],
  [
    'an answer of the server that fails',
    'express',
    server("app.get('/api/health', () => {\n  throw new Error('no database');\n});"),
    'server app/server.js:5',
  ],
  [
    'an address that the server does not have',
    'express',
    {
      'public/app.js':
        "const list = await fetch('/api/items').then((r) => r.json());\ndocument.querySelector('#app').textContent = list.length;",
    },
    'error',
  ],
];

const somewhere = path.join(tmpdir(), 'hyperagent-test-inspect');

await describeSandboxProvider(
  'the check of apps',
  new BubblewrapProvider(providerParts(somewhere)),
  () => {
    let bench: OpenApps;
    let count = 0;
    beforeAll(async () => {
      bench = await openApps();
    });
    afterAll(() => bench[Symbol.asyncDispose]());

    const found = async (template: AppTemplate, files: Files): Promise<string[]> => {
      count += 1;
      const task = `thr_${count}`;
      await bench.make(task, template, files);
      await bench.start(task);
      const { problems } = await bench.check(task);
      await bench.apps.close(task);
      return problems.map(({ kind, place }) =>
        place === null ? kind : `${kind} ${place.file}:${place.line}`,
      );
    };

    it.each(GOOD)('finds nothing wrong with %s', async (_name, template, files) => {
      expect(await found(template, files)).toEqual([]);
    });

    it('takes nothing that the app writes for a change of its code', async () => {
      await bench.make('thr_data', 'express', DATA_SERVER);
      await bench.start('thr_data');
      for (const _look of [1, 2]) expect((await bench.check('thr_data')).problems).toEqual([]);
      await bench.apps.close('thr_data');
    });

    it.each(FAULTS)('finds %s', async (_name, template, files, first) => {
      const [problem = 'nothing'] = await found(template, files);
      expect(problem).toBe(first);
    });

    it('takes steps by what can be seen: of several texts one that shows, and none of what is gone', async () => {
      const list = `<p hidden>Tea</p><ul><li>Tea <button>Drop</button></li><li>Milk</li></ul>`;
      const drop = `document.querySelector('button').onclick = (event) => event.target.parentElement.remove();`;
      await bench.make('thr_steps', 'static', script(`${shows(list)}\n${drop}`));
      await bench.start('thr_steps');
      const gone = [{ expect: 'Tea' }, { click: 'Drop' }, { gone: 'Tea' }];
      expect(await bench.check('thr_steps', gone)).toMatchObject({
        problems: [],
        passed: ['finding "Tea"', 'pressing "Drop"', 'no longer finding "Tea"'],
      });
      const still = await bench.check('thr_steps', [{ click: 'Drop' }, { gone: 'Milk' }]);
      expect(still.problems).toMatchObject([
        { kind: 'step', message: 'After pressing "Drop": The page still shows "Milk".' },
      ]);
      await bench.apps.close('thr_steps');
    });

    it('of a page that never ends, within a limit, and the next one is looked at', async () => {
      const endless = await found('static', script('while (true) {}'));
      expect(endless).toEqual(['stuck app/src/main.js:1']);
      expect(await found('static', script(shows('<h1>Here</h1>')))).toEqual([]);
    });
  },
);
