import { symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AppBuild, AppPart, AppTemplate } from '#contract/apps.ts';
import type { AppZip } from '#main/apps/export/zip-app.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { type OpenApps, type OpenAppsOptions, openApps } from '../fakes/apps/open-apps.ts';
import { unpack } from '../main/base/unpack.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { temporaryDir } from '../main/storage/support.ts';

const TASK = 'thr_1';
const somewhere = path.join(tmpdir(), 'hyperagent-test-inspect');
const never = (): AbortSignal => new AbortController().signal;

async function open(options: OpenAppsOptions = {}): Promise<OpenApps> {
  const bench = await openApps(options);
  onTestFinished(() => bench[Symbol.asyncDispose]());
  return bench;
}

/** A project of somebody else in the folder `app`. */
async function foreign(
  bench: OpenApps,
  scripts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const entries = Object.entries(files).map(([file, content]) => [`app/${file}`, content]);
  const manifest = { name: 'my-shop', type: 'module', scripts };
  await bench.write(TASK, {
    ...Object.fromEntries(entries),
    'app/package.json': JSON.stringify(manifest),
  });
  await bench.apps.start(TASK, { folder: 'app', command: 'exit 0' }, never());
}

async function build(bench: OpenApps): Promise<AppBuild | null> {
  return (await bench.apps.build(TASK, never())).build;
}

interface Unpacked extends AppZip {
  readonly files: ReadonlyMap<string, string>;
}

async function zip(bench: OpenApps, part: AppPart): Promise<Unpacked> {
  const pieces: Uint8Array[] = [];
  const write = async (piece: Uint8Array): Promise<void> => void pieces.push(piece);
  const made = await bench.apps.zip(TASK, part, { write, signal: never() });
  const file = path.join(temporaryDir(), 'app.zip');
  await writeFile(file, Buffer.concat(pieces));
  const files = [...(await unpack(file))].map(([name, data]) => [name, data.toString()] as const);
  return { ...made, files: new Map(files) };
}

const PAGE = '<!doctype html><title>Shop</title><h1>Our shop</h1>';

await describeSandboxProvider(
  'apps for production in bubblewrap',
  new BubblewrapProvider(providerParts(somewhere)),
  () => {
    it.each<[AppTemplate, string | null]>([
      ['static', 'app/dist'],
      ['react', 'app/dist'],
      ['vue', 'app/dist'],
      ['express', null],
    ])('the template %s is built, starts, and shows its page', async (template, folder) => {
      const bench = await open();
      await bench.make(TASK, template);
      const made = await build(bench);
      expect(made).toMatchObject({ status: 'completed', folder, problem: null, unchecked: null });
      expect(bench.states.map((state) => state.build?.status)).toContain('running');
      if (folder === null) {
        await expect(zip(bench, 'build')).rejects.toThrow('Build it first');
        return;
      }
      const { files, fileName } = await zip(bench, 'build');
      expect(fileName).toBe('test-app-built.zip');
      expect([...files.keys()]).toContain('index.html');
      expect(files.size).toBe(made?.files);
    });

    it('the development server goes on beside it', async () => {
      const bench = await open();
      await bench.make(TASK, 'react');
      const { ports, previewUrl } = await bench.start(TASK);
      const since = bench.states.length;
      expect((await build(bench))?.status).toBe('completed');
      const meanwhile = bench.states.slice(since).map(({ server }) => server);
      expect(new Set(meanwhile)).toEqual(new Set(['running']));
      expect(bench.apps.state(TASK)).toMatchObject({ ports, previewUrl, server: 'running' });
      expect((await bench.check(TASK)).problems).toEqual([]);
    });

    it('a build that fails says what it printed, and the next one can succeed', async () => {
      const bench = await open();
      await bench.make(TASK, 'react', { 'src/App.tsx': 'export const App = () => <p>{lost}</p>;' });
      const made = await build(bench);
      expect(made?.status).toBe('failed');
      expect(made?.problem).toMatch(
        /^The build failed\. It ended with exit code [12]\. It printed:/,
      );
      expect(made?.problem).toMatch(/src\/App\.tsx.*TS2304: Cannot find name 'lost'/s);
      await bench.write(TASK, { 'app/src/App.tsx': 'export const App = () => <p>Found</p>;\n' });
      await bench.write(TASK, {
        'app/src/main.tsx':
          "import { createRoot } from 'react-dom/client';\nimport { App } from './App.tsx';\n" +
          "createRoot(document.getElementById('root')!).render(<App />);\n",
      });
      expect(await build(bench)).toMatchObject({ status: 'completed', problem: null });
    });

    it.each([
      [
        'a page that breaks only when it is built',
        { build: 'mkdir -p dist && cp page.html dist/index.html' },
        { 'page.html': `${PAGE}<script src="lost.js"></script>` },
        /^What was built starts, and its page is broken:.*lost\.js/s,
      ],
      [
        'a server that does not start',
        { start: 'node server.js' },
        { 'server.js': "throw new Error('no database');" },
        /^What was built does not start\. It ended with exit code 1\. It printed:.*no database/s,
      ],
      [
        'a server that listens nowhere',
        { start: 'sleep 1000' },
        {},
        /^What was built does not start\. Nothing answers on any port\./,
      ],
    ] as const)('%s is found', async (_what, scripts, files, problem) => {
      const bench = await open({ startMs: 3_000 });
      await foreign(bench, scripts, files);
      const made = await build(bench);
      expect(made).toMatchObject({ status: 'failed', problem: expect.stringMatching(problem) });
    });

    it('what was built is served where no script does, not by the development server', async () => {
      const bench = await open();
      const scripts = { build: 'mkdir -p build && cp page.html build/index.html', start: 'exit 1' };
      await foreign(bench, scripts, { 'page.html': PAGE, 'dist/index.html': 'Of last year' });
      expect(await build(bench)).toMatchObject({ status: 'completed', folder: 'app/build' });
      const { files } = await zip(bench, 'build');
      expect([...files]).toEqual([['index.html', PAGE]]);
    });

    it('production is what the programs are told', async () => {
      const bench = await open();
      const tell = 'mkdir -p out && echo "<h1>$NODE_ENV</h1>" > out/index.html';
      await foreign(bench, { build: tell });
      expect((await build(bench))?.status).toBe('completed');
      expect((await zip(bench, 'build')).files.get('index.html')).toBe('<h1>production</h1>\n');
    });

    it('a build is stopped, with all it started; only one runs at a time', async () => {
      const bench = await open();
      const scripts = { build: 'echo begun > begun; sleep 1000' };
      await foreign(bench, scripts);
      const running = bench.apps.build(TASK, never());
      await expect.poll(() => bench.apps.state(TASK).build?.status).toBe('running');
      await expect(bench.apps.build(TASK, never())).rejects.toThrow(
        'A build of this app is running',
      );
      const { workspace } = bench.sandbox(TASK);
      await expect
        .poll(async () => (await workspace.list('app')).entries.map((entry) => entry.path), {
          timeout: 20_000,
        })
        .toContain('app/begun');
      expect((await bench.apps.cancelBuild(TASK)).build?.status).toBe('cancelled');
      expect((await running).build).toMatchObject({ status: 'cancelled', problem: null });
      await bench.write(TASK, { 'app/package.json': JSON.stringify({ scripts: { dev: 'x' } }) });
      await expect(build(bench)).rejects.toThrow('neither a script "build" nor "start"');
      expect(bench.apps.state(TASK).build?.status).toBe('cancelled');
    });

    it('closing the app ends a build', async () => {
      const bench = await open();
      await foreign(bench, { build: 'sleep 1000' });
      const running = bench.apps.build(TASK, never());
      await expect.poll(() => bench.apps.state(TASK).build?.status).toBe('running');
      await bench.apps[Symbol.asyncDispose]();
      expect((await running).build?.status ?? 'cancelled').toBe('cancelled');
    });

    it('the project is downloaded without what is made again, with a README', async () => {
      const bench = await open();
      await bench.make(TASK, 'react');
      await bench.start(TASK);
      await build(bench);
      await bench.write(TASK, {
        'app/.env': 'KEY=secret-value',
        'app/.env.local': 'secret-value',
        'app/.env.example': 'KEY=',
        'app/server/.env': 'secret-value',
        'app/.npmrc': '//registry.example/:_authToken=secret-value',
        'app/certs/server.pem': 'secret-value',
        'notes.md': 'Not of the app',
      });
      const { files, fileName, leftOut } = await zip(bench, 'project');
      expect(fileName).toBe('test-app.zip');
      expect([...leftOut].sort()).toEqual([
        ...['.env', '.env.local', '.npmrc', 'certs/server.pem', 'server/.env'],
      ]);
      expect([...files.keys()].sort()).toEqual([
        ...['test-app/.env.example', 'test-app/.gitignore', 'test-app/README.md'],
        ...['test-app/index.html', 'test-app/package.json', 'test-app/src/App.tsx'],
        ...['test-app/src/index.css', 'test-app/src/main.tsx', 'test-app/tsconfig.json'],
        'test-app/vite.config.ts',
      ]);
      expect([...files.values()].join('\n')).not.toContain('secret-value');
      const readme = files.get('test-app/README.md') ?? '';
      expect(readme).toContain('npm install\nnpm run dev');
      expect(readme).toContain('- `npm run build` builds it for production.');
      for (const file of leftOut) expect(readme).toContain(`\`${file}\``);
    });

    it("the user's own README stays, and so does a folder dist that no build makes", async () => {
      const bench = await open();
      const files = { 'readme.txt': 'Mine', 'dist/index.html': PAGE, 'server.js': '' };
      await foreign(bench, { start: 'node server.js' }, files);
      const made = await zip(bench, 'project');
      expect([...made.files.keys()].sort()).toEqual([
        ...['my-shop/dist/index.html', 'my-shop/package.json', 'my-shop/readme.txt'],
        'my-shop/server.js',
      ]);
    });

    it('links lead nowhere, and names cannot leave the folder that is unpacked', async () => {
      const bench = await open();
      await foreign(bench, { start: 'node server.js' }, { 'a\\..\\..\\b.js': 'x', con: 'y' });
      const { dir } = bench.sandbox(TASK).workspace;
      symlinkSync('/etc/passwd', path.join(dir, 'app/passwd'));
      symlinkSync('/etc', path.join(dir, 'app/etc'));
      const { files, leftOut } = await zip(bench, 'project');
      expect([...leftOut].sort()).toEqual(['etc', 'passwd']);
      expect([...files.keys()].sort()).toEqual([
        ...['my-shop/README.md', 'my-shop/_con', 'my-shop/a_.._.._b.js', 'my-shop/package.json'],
      ]);
    });

    it('a folder that was swapped for a link is not there', async () => {
      const bench = await open();
      await foreign(bench, { start: 'node server.js' });
      const { workspace } = bench.sandbox(TASK);
      await workspace.remove('app');
      symlinkSync('/etc', path.join(workspace.dir, 'app'));
      await expect(zip(bench, 'project')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  },
);
