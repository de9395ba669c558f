import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { APP_LOG_CHARS, type AppTemplate, type TaskApp } from '#contract/apps.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { describeSandboxProvider } from '../conformance/sandbox-provider.ts';
import { type OpenApps, type OpenAppsOptions, openApps } from '../fakes/apps/open-apps.ts';
import { ask } from '../fakes/preview/open-preview.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';

const TASK = 'thr_1';
const somewhere = path.join(tmpdir(), 'hyperagent-test-inspect');

async function open(options: OpenAppsOptions = {}): Promise<OpenApps> {
  const bench = await openApps(options);
  onTestFinished(() => bench[Symbol.asyncDispose]());
  return bench;
}

/** A project whose server is this program of Node. */
const project = (server: string, dev = 'node server.js'): Record<string, string> => ({
  'package.json': JSON.stringify({ type: 'module', scripts: { dev } }),
  'server.js': server,
});
const answers = (listen: string, body = 'Hello'): string =>
  `import http from 'node:http';
   const server = http.createServer((request, response) => {
     response.writeHead(200, { 'content-type': 'text/html' }).end(${JSON.stringify(body)} + request.url);
   });
   server.listen(${listen});`;
const start = (bench: OpenApps, folder: string, command?: string): Promise<TaskApp> =>
  bench.apps.start(TASK, { folder, command }, new AbortController().signal);
/** The page as a window gets it, by the preview's own listener. */
async function shown(bench: OpenApps, url = '/'): Promise<string> {
  const { host = '', address } = previewOf(bench);
  return (await ask({ preview: { host, address } as never }, url)).body;
}
function previewOf(bench: OpenApps): { host: string; address: { port: number } } {
  const { host } = new URL(bench.apps.state(TASK).previewUrl ?? '');
  return { host, address: { port: Number(host.split(':')[1]) } };
}

await describeSandboxProvider(
  'apps of tasks in bubblewrap',
  new BubblewrapProvider(providerParts(somewhere)),
  () => {
    it.each<[AppTemplate, string]>([
      ['static', 'Edit src/main.js'],
      ['react', 'Edit src/App.tsx'],
      ['vue', 'Edit src/App.vue'],
      ['express', 'The server answers: yes.'],
    ])('the template %s runs without a network, and has no faults', async (template, text) => {
      const bench = await open();
      await bench.make(TASK, template);
      const app = await bench.start(TASK);
      expect(app).toMatchObject({ server: 'running', folder: 'app', template, problem: null });
      const report = await bench.check(TASK);
      expect(report.problems).toEqual([]);
      expect(report.text).toContain(text);
      expect(report.screenshot?.length).toBeGreaterThan(1_000);
    });

    it.each([
      ['any port', '4711, "127.0.0.1"', 4711],
      ['all addresses', '4712', 4712],
      ['IPv6 alone', '{ port: 4713, host: "::1" }', 4713],
    ])('a server is found on %s', async (_what, listen, port) => {
      const bench = await open();
      await bench.write(TASK, project(answers(listen)));
      const app = await start(bench, '');
      expect([app.server, app.ports]).toEqual(['running', [port]]);
      expect(await shown(bench, '/x')).toBe('Hello/x');
    });

    it('of several servers the page is shown, or the one that is chosen', async () => {
      const bench = await open();
      await bench.write(TASK, {
        ...project(answers('5001'), 'node api.js & node server.js'),
        'api.js': answers('5000', 'api').replace('text/html', 'application/json'),
      });
      await start(bench, '');
      await expect.poll(() => bench.apps.state(TASK).ports).toEqual([5001, 5000]);
      expect(await shown(bench)).toBe('Hello/');
      expect(bench.apps.show(TASK, 5000).ports).toEqual([5000, 5001]);
      expect(await shown(bench)).toBe('api/');
      expect(() => bench.apps.show(TASK, 5002)).toThrow('Nothing answers on port 5002');
    });

    it('a folder with a page and no project is served as it is; names cannot lead elsewhere', async () => {
      const bench = await open();
      const folder = 'it\'s $(touch owned) a"page`';
      await bench.write(TASK, { [`${folder}/index.html`]: 'Plain' });
      expect((await start(bench, folder)).server).toBe('running');
      expect(await shown(bench)).toBe('Plain');
      const { entries } = await bench.sandbox(TASK).workspace.list('', { recursive: true });
      expect(entries.map((entry) => entry.path)).toEqual([folder, `${folder}/index.html`]);
      await expect(start(bench, '../..')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_WORKSPACE' });
      await expect(start(bench, 'nowhere')).rejects.toThrow('There is no app in nowhere');
    });

    it('a project without a script, or with a broken package.json, is said to be so', async () => {
      const bench = await open();
      await bench.write(TASK, { 'a/package.json': '{}', 'b/package.json': '{"scripts": {' });
      await expect(start(bench, 'a')).rejects.toThrow('a/package.json has no script "dev"');
      await expect(start(bench, 'b')).rejects.toThrow('b/package.json cannot be read');
      expect(bench.apps.state(TASK)).toMatchObject({ server: 'stopped', folder: null });
      await expect(bench.start(TASK)).rejects.toThrow('This task has no app');
    });

    it('a server that ends says how, and starts again', async () => {
      const bench = await open();
      await bench.write(TASK, project("console.error('no database'); process.exit(3);"));
      const app = await start(bench, '');
      expect([app.server, app.problem, app.previewUrl]).toEqual([
        ...['failed', 'It ended with exit code 3.', null],
      ]);
      expect(bench.apps.log(TASK)).toContain('no database');
      await bench.write(TASK, { 'server.js': answers('3000') });
      expect((await bench.start(TASK)).server).toBe('running');
      expect(bench.apps.log(TASK)).not.toContain('no database');
    });

    it('one that never answers leaves the caller free, and is found when it does', async () => {
      const bench = await open({ startMs: 300 });
      await bench.write(TASK, {
        ...project(`setTimeout(() => { ${answers('3000').split('\n').slice(1).join('\n')} }, 1500);
          import http from 'node:http';`),
      });
      expect((await start(bench, '')).server).toBe('starting');
      await expect.poll(() => bench.apps.state(TASK).server, { timeout: 20_000 }).toBe('running');
    });

    it('one that prints without end is kept short', async () => {
      const bench = await open();
      const flood = "setInterval(() => process.stdout.write('x'.repeat(20_000) + '\\n'), 1);";
      await bench.write(TASK, project(`${answers('3000')}\n${flood}`));
      expect((await start(bench, '')).server).toBe('running');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(bench.apps.log(TASK).length).toBeLessThanOrEqual(APP_LOG_CHARS);
      expect(await shown(bench)).toBe('Hello/');
    });

    it('a server that begins to listen elsewhere is followed', async () => {
      const bench = await open();
      const moves = `${answers('3000')}\nsetTimeout(() => { server.close(); server.listen(3001); }, 700);`;
      await bench.write(TASK, project(moves));
      await start(bench, '');
      await expect.poll(() => bench.apps.state(TASK).ports, { timeout: 15_000 }).toEqual([3001]);
      expect(await shown(bench)).toBe('Hello/');
    });

    it('a second app takes the place of the first, whose server ends', async () => {
      const bench = await open();
      await bench.write(TASK, { 'a/index.html': 'First' });
      expect((await start(bench, 'a')).server).toBe('running');
      await bench.make(TASK, 'static');
      expect(bench.apps.state(TASK)).toMatchObject({ folder: 'app', server: 'stopped' });
      expect((await bench.manager.programs(TASK)).programs).toEqual([]);
    });

    it('without use it stops, and comes back; its address stays its own', async () => {
      const bench = await open({ idleMs: 1 });
      await bench.write(TASK, project(answers('3000')));
      await start(bench, '');
      await expect.poll(() => bench.apps.preview(TASK), { timeout: 10_000 }).toBeNull();
      const known = bench.stored.get(TASK)?.address ?? null;
      expect(bench.apps.state(TASK)).toMatchObject({ server: 'stopped', comesBack: true });
      await bench.start(TASK);
      expect([known === null, bench.stored.get(TASK)?.address]).toEqual([false, known]);
    });

    it('is in use while its start is waited for, however long that takes', async () => {
      const bench = await open({ idleMs: 200 });
      const slow = `await new Promise((resolve) => setTimeout(resolve, 1_500));\n`;
      await bench.write(
        TASK,
        project(answers('3000').replace('server.listen', `${slow}server.listen`)),
      );
      expect((await start(bench, '')).server).toBe('running');
      await expect.poll(() => bench.apps.state(TASK).server).toBe('stopped');
    });

    it('goes on while something is connected to its page, and stops after that', async () => {
      const bench = await open({ idleMs: 5_000 });
      const streams = answers('3000').replace('.end(', '.write(');
      await bench.write(TASK, project(streams));
      await start(bench, '');
      // A page that is open keeps a connection, whether anybody clicks or not.
      const { host, port } = new URL(bench.apps.state(TASK).previewUrl ?? '');
      const connection = http.get({ host: '127.0.0.1', port, headers: { host } });
      connection.on('error', () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 6_500));
      expect(bench.apps.state(TASK).server).toBe('running');
      connection.destroy();
      await expect.poll(() => bench.apps.state(TASK).server).toBe('stopped');
    });

    it('ended with all programs it comes back; stopped by the user it does not', async () => {
      const bench = await open();
      await bench.write(TASK, project(answers('3000')));
      const { previewUrl } = await start(bench, '');
      await bench.manager.endPrograms(TASK);
      await expect.poll(() => bench.apps.state(TASK).server).toBe('stopped');
      expect(bench.apps.state(TASK)).toMatchObject({ comesBack: true, previewUrl: null });
      expect((await bench.start(TASK)).previewUrl).toBe(previewUrl);
      expect(await bench.apps.stop(TASK)).toMatchObject({ server: 'stopped', comesBack: false });
      const { programs } = await bench.manager.programs(TASK);
      expect(programs).toEqual([]);
    });

    it('is stopped while work needs that, whatever was starting it, and comes back after it', async () => {
      const bench = await open();
      await bench.write(TASK, project(answers('3000')));
      await start(bench, '');
      const isBack = () => expect.poll(() => bench.apps.state(TASK).server).toBe('running');
      /** What the server was in while the work was done. */
      const during = (): Promise<string[]> =>
        bench.apps.whileStopped(TASK, async () => {
          const from = bench.states.length;
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return [bench.apps.state(TASK), ...bench.states.slice(from)].map(({ server }) => server);
        });
      expect(await during()).toEqual(['stopped']);
      await isBack();
      const { signal } = new AbortController();
      const restart = bench.apps.start(TASK, { folder: '', restart: true }, signal);
      expect(await during()).toEqual(['stopped']);
      await restart.catch(() => undefined);
      await isBack();
      // Also by a start that has no server yet.
      await bench.apps.stop(TASK);
      const first = bench.apps.start(TASK, null, signal);
      expect(await during()).toEqual(['stopped']);
      await first.catch(() => undefined);
      await isBack();
      const fails = bench.apps.whileStopped(TASK, () => Promise.reject(new Error('no room')));
      await expect(fails).rejects.toThrow('no room');
      await isBack();
    });

    it('stopped by the user while work needs that, does not come back after it', async () => {
      const bench = await open();
      await bench.write(TASK, project(answers('3000')));
      await start(bench, '');
      let stopping: Promise<TaskApp> | null = null;
      await bench.apps.whileStopped(TASK, async () => {
        stopping = bench.apps.stop(TASK);
      });
      await stopping;
      // Whatever is in the queue has been done then.
      await bench.apps.whileStopped(TASK, async () => undefined);
      expect(bench.apps.state(TASK)).toMatchObject({ server: 'stopped', comesBack: false });
    });

    it('a second start of the same app is none; another command replaces it', async () => {
      const bench = await open();
      await bench.write(TASK, {
        ...project(answers('3000')),
        'other.js': answers('3000', 'Other'),
      });
      const both = await Promise.all([start(bench, ''), start(bench, '')]);
      expect(both.map(({ server }) => server)).toEqual(['running', 'running']);
      expect(bench.states.filter(({ server }) => server === 'starting').length).toBeLessThan(4);
      await start(bench, '', 'node other.js');
      expect(await shown(bench)).toBe('Other/');
      // What was given is given again.
      await bench.start(TASK);
      expect(await shown(bench)).toBe('Other/');
    });

    it('its programs reach no port of this computer, and no network without a run', async () => {
      const bench = await open();
      let reached = 0;
      const trap = net.createServer(() => {
        reached += 1;
      });
      await new Promise<void>((resolve) => trap.listen(0, '0.0.0.0', resolve));
      onTestFinished(() => void trap.close());
      const { port } = trap.address() as AddressInfo;
      const own = Object.values(networkInterfaces()).flat();
      const hosts = ['127.0.0.1', 'localhost', ...own.map((one) => one?.address ?? '')];
      const tries = `import net from 'node:net';
        const said = [];
        for (const host of ${JSON.stringify(hosts)}) {
          await new Promise((resolve) => net.connect(${port}, host)
            .on('connect', () => { said.push('reached'); resolve(); }).on('error', resolve));
        }
        said.push(await fetch('https://example.com/').then(() => 'reached', () => 'refused'));
        said.push(await fetch('http://127.0.0.1:${port}/').then(() => 'reached', () => 'refused'));`;
      const server = answers('3000', '').replace('""', 'said.join()');
      await bench.write(TASK, project(`${tries}\n${server}`));
      await start(bench, '');
      expect([await shown(bench), reached]).toEqual(['refused,refused/', 0]);
    });
  },
);
