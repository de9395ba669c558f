import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { extractAll } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AppBuild } from '#contract/apps.ts';
import type { Run, SetupReport } from '#contract/entities.ts';
import { ROOT } from '../../scripts/build-state.ts';
import { checkPackage, type PackageFacts } from '../../scripts/package/check-package.ts';
import { makePackage, STAND_IN } from '../../scripts/package/make-package.ts';
import { nodeProgram } from '../../scripts/package/node-executable.ts';
import type { Packed } from '../../scripts/package/pack.ts';
import { nameOf, type Target, targetNamed } from '../../scripts/package/targets.ts';
import { browserForTests } from '../fakes/browser/open-browsers.ts';
import { Desktop } from '../fakes/electron/desktop.ts';
import { startAnswering } from '../fakes/model-server/answering.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { pngOf } from '../fakes/png.ts';
import { folderWithReport } from '../fakes/report-folder.ts';
import { scannedPdf } from '../fakes/scanned-pdf.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

/**
 * Packages of the app: what is in them, what is noticed when it is not right, and the app that runs from one. Electron is
 * a stand-in; Node, the native modules and the packages of the app templates are the real ones of this computer.
 * `npm run package -- --stand-in` does the same for all targets, with the native modules of each.
 */

const LINUX = targetNamed(`linux-${process.arch}`);
const WINDOWS = targetNamed('win32-x64');
const note = process.platform === 'linux' ? '' : ' (skipped: stand-ins run on Linux)';

/** Below the home, for the sandbox has a `/tmp` of its own. */
let base: string;
let linux: { packed: Packed; facts: PackageFacts };
let windows: { packed: Packed; facts: PackageFacts };

async function make(target: Target, output: string): Promise<typeof linux> {
  const isLinux = target.platform === 'linux';
  return await makePackage({
    ...{ root: ROOT, target, modules: join(ROOT, 'node_modules'), withTemplates: isLinux },
    electron: STAND_IN,
    node: isLinux ? await nodeProgram(target, { root: ROOT, cache: join(base, 'none') }) : STAND_IN,
    ...{ output, formats: ['dir'] },
  });
}

describe.skipIf(process.platform !== 'linux')(`a package of the app${note}`, () => {
  beforeAll(async () => {
    ensureBuilt();
    base = realpathSync(mkdtempSync(join(homedir(), '.hyperagent-test-')));
    linux = await make(LINUX, join(base, 'first'));
    windows = await make(WINDOWS, join(base, 'first'));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const archiveOf = ({ packed }: typeof linux): string => join(packed.resources, 'app.asar');
  const besideOf = ({ packed }: typeof linux, file: string): string =>
    join(packed.resources, 'app.asar.unpacked', file);
  const problemsOf = async ({ packed }: typeof linux, target: Target) =>
    (await checkPackage({ packed, target, root: ROOT })).problems;

  it('for Linux and for Windows is as it should be', () => {
    expect([linux.facts.problems, windows.facts.problems]).toEqual([[], []]);
    // What runs, and not the 8,380 files of all packages that it is built from.
    expect(linux.facts.archivedFiles).toBeGreaterThan(300);
    expect(windows.facts.packBytes).toBe(0);
    const licenses = ['out/main', 'out/renderer', 'node_modules/better-sqlite3', 'resources/packs'];
    const found = globSync('**/{LICENSE,LICENSES,licenses}{,.*}', { cwd: besideOf(linux, '') });
    expect(licenses.filter((dir) => !found.some((file) => file.startsWith(dir)))).toEqual([]);
    expect(found).toContain('resources/packs/node_modules/vite/LICENSE.md');
    expect(readFileSync(besideOf(linux, 'out/main/licenses.md'), 'utf8')).toContain('## yaml - ');
  });

  it('has every module that its files name', () => {
    /** In texts, and in code that libraries write elsewhere; Electron itself; modules of a clone. */
    const notLoaded =
      /^(?:(?:ajv|ajv-formats|mammoth|openai|zod|quickjs-wasi)\/.*|node\/package\.json|electron|undici)$/;
    const dir = besideOf(linux, 'out/main');
    const names = globSync('**/*.js', { cwd: dir }).flatMap((file) => {
      const text = readFileSync(join(dir, file), 'utf8');
      const loaded = text.matchAll(
        /(?:from|import|require|resolve)\s*\(?\s*["'`]([@\w][^"'`$\s]*)["'`]/g,
      );
      const paths = text.matchAll(/["'`]((?:@[\w.-]+\/)?[\w.-]+\/[\w./-]+)["'`]/g);
      return [...loaded, ...paths].map(([, name = '']) => ({ name, file: join(dir, file) }));
    });
    const here = createRequire(join(ROOT, 'out/main/cli.js'));
    const resolves = (name: string, by: NodeJS.Require): boolean => {
      try {
        return by.resolve(name).includes('node_modules');
      } catch {
        return false;
      }
    };
    const wanted = names.filter(({ name }) => !notLoaded.test(name) && resolves(name, here));
    const missing = wanted.filter(({ name, file }) => {
      // A module for `import` alone is not found by `require`.
      const isPackage = existsSync(besideOf(linux, `node_modules/${name}/package.json`));
      return !isPackage && !resolves(name, createRequire(file));
    });
    expect(missing).toEqual([]);
    expect(new Set(wanted.map(({ name }) => name)).size).toBeGreaterThan(20);
  });

  it('is the same, byte by byte, when it is made again', async () => {
    const again = await make(LINUX, join(base, 'second'));
    expect(again.facts.digest).toBe(linux.facts.digest);
    rmSync(join(base, 'second'), { recursive: true });
  });

  describe('is not handed out', () => {
    /** Changes a file of a package until the test has ended. */
    function change(file: string, edit: (content: Buffer) => Buffer): void {
      const content = readFileSync(file);
      writeFileSync(file, edit(Buffer.from(content)));
      onTestFinished(() => writeFileSync(file, content));
    }

    it('with a byte of its archive changed', async () => {
      change(archiveOf(linux), (content) => {
        const at = content.indexOf('HyperAgent could not start');
        content[at] = (content[at] ?? 0) ^ 1;
        return content;
      });
      expect(await problemsOf(linux, LINUX)).toEqual([
        expect.stringMatching(/^out\/main\/.* is not what the header of the archive says\.$/),
      ]);
    });

    it('with a file beside the archive changed, missing, or added', async () => {
      change(besideOf(linux, 'out/main/cli.js'), (content) => Buffer.concat([content, content]));
      rmSync(besideOf(linux, 'LICENSE'));
      onTestFinished(() => copyFileSync(join(ROOT, 'LICENSE'), besideOf(linux, 'LICENSE')));
      writeFileSync(besideOf(linux, 'out/main/more.js'), '');
      onTestFinished(() => rmSync(besideOf(linux, 'out/main/more.js')));
      expect([...(await problemsOf(linux, LINUX))].sort()).toEqual([
        'LICENSE is missing beside the archive.',
        'out/main/cli.js is not the same in the archive and beside it.',
        'out/main/more.js is beside the archive and not in it.',
      ]);
    });

    it("with another system's native module, or none", async () => {
      const own = `node_modules/better-sqlite3/prebuilds/${nameOf(LINUX)}.node`;
      const other = join(ROOT, 'node_modules/better-sqlite3/prebuilds/win32-x64.node');
      change(besideOf(linux, own), () => readFileSync(other));
      expect(await problemsOf(linux, LINUX)).toEqual([
        `${own} is not the same in the archive and beside it.`,
        `app.asar.unpacked/${own} is for win32-x64, not for ${nameOf(LINUX)}.`,
      ]);
      expect(await problemsOf(linux, WINDOWS)).toContain(
        'node_modules/better-sqlite3/prebuilds/win32-x64.node is missing, or inside the archive, from where no system loads it.',
      );
    });

    it('with a fuse that is not blown', async () => {
      const program = join(linux.packed.dir, 'hyperagent-desktop');
      change(program, (content) => content);
      await flipFuses(program, { version: FuseVersion.V1, [FuseV1Options.RunAsNode]: true });
      expect(await problemsOf(linux, LINUX)).toEqual(['The fuse runAsNode is not off.']);
    });

    it('with a program of Windows that knows another archive', async () => {
      change(join(windows.packed.dir, 'HyperAgent.exe'), (content) => {
        const at = content.indexOf('"value":"') + '"value":"'.length;
        content.write(content.toString('latin1', at, at + 1) === '0' ? '1' : '0', at);
        return content;
      });
      expect(await problemsOf(windows, WINDOWS)).toEqual([
        'The program does not have the hash of its archive.',
      ]);
    });

    it('with sources, with the path of the computer that made it, or over the limit', async () => {
      const staged = join(base, 'changed');
      const out = join(staged, 'out');
      mkdirSync(join(staged, 'scripts'), { recursive: true });
      for (const name of ['node_modules', 'resources', 'electron-builder.json', 'LICENSE']) {
        symlinkSync(join(ROOT, name), join(staged, name));
      }
      for (const name of ['package.json', 'CHANGELOG.md']) {
        copyFileSync(join(ROOT, name), join(staged, name));
      }
      spawnSync('cp', ['-r', join(ROOT, 'out'), out]);
      onTestFinished(() => rmSync(staged, { recursive: true, force: true }));
      writeFileSync(join(out, 'main/index.js.map'), '{}');
      appendFileSync(join(out, 'main/index.js'), `\n// ${staged}/src-main/index.ts\n`);
      writeFileSync(join(out, 'main/large.js'), Buffer.alloc(20_000_000, ' '));
      const { facts } = await makePackage({
        ...{ root: staged, target: LINUX, modules: join(ROOT, 'node_modules') },
        ...{ withTemplates: false, electron: STAND_IN, node: process.execPath },
        ...{ output: join(staged, 'dist'), formats: ['dir'] },
      });
      expect(facts.problems).toEqual([
        'out/main/index.js.map is for developers.',
        'out/main/index.js has the path of the computer that built it.',
        expect.stringMatching(/^archiveBytes is \d+, over the limit of \d+\.$/),
        expect.stringMatching(/^besideBytes is \d+, over the limit of \d+\.$/),
      ]);
    });
  });

  describe.skipIf(!osSandboxReady)(`runs from where it was unpacked${osSandboxNote}`, () => {
    /** Of a user without Node on the path: the package brings its own. */
    const env = { PATH: '/usr/bin:/bin' };
    let command: { cli: string; node: string };
    const filesOf = (folder: string, name: string): string[] =>
      globSync(`**/${name}`, { cwd: folder }).map((file) => join(folder, file));

    beforeAll(() => {
      const moved = join(base, 'opt');
      mkdirSync(moved);
      const tar = `tar -C ${linux.packed.dir} -cf - . | tar -C ${moved} -xf -`;
      expect(spawnSync('sh', ['-c', tar]).status).toBe(0);
      symlinkSync(join(moved, 'resources/bin/hyperagent'), join(base, 'hyperagent'));
      command = { node: '/bin/sh', cli: join(base, 'hyperagent') };
    });

    it('the main job, by a link to its command', async () => {
      await using server = await startModelServer({
        models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
        turns: [
          {
            steps: [
              {
                call: {
                  name: 'execute_code',
                  arguments: { language: 'python', code: "open('result.txt', 'w').write('42')" },
                },
              },
            ],
          },
          { steps: [{ text: 'The result is in result.txt.' }] },
        ],
      });
      const dataDir = join(base, 'job');
      const flags = ['--model', 'ollama:x', '--base-url', server.url, '--sandbox', 'os'];
      const { code, stderr, events } = await runTerminal(
        ['run', 'Work it out', ...flags, '--approve', 'all', '--json', '--data-dir', dataDir],
        { ...command, env },
      );
      expect([code, stderr]).toEqual([0, '']);
      expect(eventsOf(events(), 'code_result')).toMatchObject([{ exitCode: 0 }]);
      expect(readFileSync(filesOf(dataDir, 'result.txt')[0] ?? '', 'utf8')).toBe('42');
    });

    it('the templates of apps, without a network and without a Node of the user', async () => {
      const dataDir = join(base, 'apps');
      const browser = dirname((await browserForTests()) ?? '');
      const create = { template: 'react', name: 'Habit tracker' };
      await using server = await startAnswering(dataDir, [
        [{ call: { name: 'create_app_project', arguments: create } }],
        [{ text: 'The app is there.' }],
      ]);
      const terminal = (...args: readonly string[]) =>
        runTerminal([...args, '--data-dir', dataDir], {
          ...{ ...command, env: { PATH: `${browser}:${env.PATH}`, OLLAMA_HOST: server.url } },
        });
      const flags = ['--model', 'ollama:x', '--sandbox', 'os', '--approve', 'all'];
      await terminal('run', 'Make a web app: a habit tracker', ...flags);
      const [run] = JSON.parse((await terminal('runs', 'list', '--json')).stdout) as Run[];
      const built = await terminal('apps', 'build', run?.threadId ?? '', '--json');
      expect(JSON.parse(built.stdout) as AppBuild).toMatchObject({
        ...{ status: 'completed', folder: 'habit-tracker/dist' },
        // Where there is a browser, its page was opened and checked in it.
        ...(chromiumPath === null ? {} : { problem: null, unchecked: null }),
      });
      const page = filesOf(dataDir, 'index.html').find((file) => file.includes('/dist/'));
      expect(readFileSync(page ?? '', 'utf8')).toContain('<script');
    });

    it('what it loads only when it is used: OCR, pictures, fonts', async () => {
      const folder = join(base, 'papers');
      mkdirSync(folder);
      const printed = ['The heron measured eleven meters'];
      writeFileSync(join(folder, 'scan.pdf'), await scannedPdf([{ printed }]));
      const data = ['--data-dir', join(base, 'papers-data'), '--json'];
      await runTerminal(['library', 'add', folder, ...data], { ...command, env });
      const found = await runTerminal(['library', 'search', 'heron', ...data], { ...command, env });
      expect(found.stdout).toContain('eleven meters');

      const photo = join(base, 'photo.png');
      writeFileSync(
        photo,
        pngOf(3_000, 2_000, (x, y) => [x % 256, y % 256, 128]),
      );
      await using server = await startModelServer({
        models: [{ name: 'x', capabilities: ['completion', 'tools', 'vision'] }],
        turns: [{ times: 'always', steps: [{ text: 'A pattern.' }] }],
      });
      const model = ['--model', 'ollama:x', '--base-url', server.url, '--sandbox', 'os'];
      const seen = await runTerminal(['run', 'What is it?', '--attach', photo, ...model, ...data], {
        ...{ ...command, env },
      });
      expect([seen.code, seen.stderr]).toEqual([0, '']);
      const bodies = server.recording.requests.map(({ body }) => body).join('');
      const picture = /"images":\["([^"]+)"/.exec(bodies)?.[1] ?? '';
      // Made smaller, which decodes and encodes it.
      expect(picture.length).toBeGreaterThan(1_000);
      expect(Buffer.from(picture, 'base64')).not.toEqual(readFileSync(photo));

      const reports = folderWithReport();
      const pdf = join(base, 'report.pdf');
      const args = ['reports', 'export', 'run_1', '--format', 'pdf', '-o', pdf];
      const exported = await runTerminal([...args, '--data-dir', reports], { ...command, env });
      expect([exported.code, exported.stderr]).toEqual([0, '']);
      expect(readFileSync(pdf, 'latin1').slice(0, 5)).toBe('%PDF-');
    });

    it('the desktop app, out of its archive, with the Node of the package for its sandbox', async () => {
      // As Electron shows it: a folder named like the archive, beside the files that are outside.
      const resources = join(base, 'desktop');
      mkdirSync(resources);
      extractAll(archiveOf(linux), join(resources, 'app.asar'));
      for (const name of ['app.asar.unpacked', 'node']) {
        symlinkSync(join(base, 'opt/resources', name), join(resources, name));
      }
      const args = ['doctor', '--json', '--data-dir', join(base, 'doctor-data')];
      const ofTerminal = JSON.parse((await runTerminal(args)).stdout) as SetupReport;
      const landlockIn = ({ sandboxes }: SetupReport) => {
        const { available, detail } = sandboxes.find(({ kind }) => kind === 'landlock') ?? {};
        return { available, detail };
      };
      const broken = join(base, 'bin');
      mkdirSync(broken);
      writeFileSync(join(broken, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const isElectron =
        "Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });";
      const desktop = await new Desktop({
        ...{ dataDir: join(base, 'desktop-data'), root: join(resources, 'app.asar') },
        env: { PATH: `${broken}:${env.PATH}` },
        imports: [`data:text/javascript,${encodeURIComponent(isElectron)}`],
      }).opened();
      try {
        const answer = (await desktop.request('setup.check', {})) as { data: SetupReport };
        // The launcher of this sandbox is a program for Node: with Electron alone it would not start.
        expect(landlockIn(answer.data)).toEqual(landlockIn(ofTerminal));
        expect(ofTerminal.sandboxes.map(({ kind }) => kind)).toContain('landlock');
      } finally {
        expect((await desktop.quit()).code).toBe(0);
      }
    });
  });
});
