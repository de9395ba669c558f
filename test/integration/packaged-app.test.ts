import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractAll } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppBuild } from '#contract/apps.ts';
import type { Run, SetupReport } from '#contract/entities.ts';
import { VERSION } from '#main/version.ts';
import { browserForTests } from '../fakes/browser/open-browsers.ts';
import { Desktop } from '../fakes/electron/desktop.ts';
import { startAnswering } from '../fakes/model-server/answering.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { pngOf } from '../fakes/png.ts';
import { folderWithReport } from '../fakes/report-folder.ts';
import { scannedPdf } from '../fakes/scanned-pdf.ts';
import { eventsOf, runTerminal } from '../setup/built-app.ts';
import { chromiumPath } from '../setup/chromium.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { canPack, LINUX, packageFolder, packageFor, packNote } from '../setup/packages.ts';

/** The app as a package has it, on a computer without the project. */
describe.skipIf(!canPack || !osSandboxReady)(
  `a package${packNote || osSandboxNote}, unpacked elsewhere, runs`,
  () => {
    let base: string;
    let archive: string;
    /** Of a user without Node on the path: the package brings its own. */
    const env = { PATH: '/usr/bin:/bin' };
    let command: { cli: string; node: string };
    const filesOf = (folder: string, name: string): string[] =>
      globSync(`**/${name}`, { cwd: folder }).map((file) => join(folder, file));

    beforeAll(async () => {
      base = packageFolder();
      const { packed } = await packageFor(LINUX, join(base, 'dist'));
      archive = join(packed.resources, 'app.asar');
      const moved = join(base, 'opt');
      mkdirSync(moved);
      const tar = `tar -C ${packed.dir} -cf - . | tar -C ${moved} -xf -`;
      expect(spawnSync('sh', ['-c', tar]).status).toBe(0);
      symlinkSync(join(moved, 'resources/bin/hyperagent'), join(base, 'hyperagent'));
      command = { node: '/bin/sh', cli: join(base, 'hyperagent') };
    });

    afterAll(() => rmSync(base, { recursive: true, force: true }));

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

    it('its command line, wherever it is called from and whatever CDPATH says', () => {
      const resources = join(base, 'opt', 'resources');
      const trap = join(base, 'trap');
      mkdirSync(join(trap, 'bin'), { recursive: true });
      symlinkSync('hyperagent', join(resources, 'bin', '-h'));
      const calls = [
        { cwd: resources, command: ['bin/hyperagent'] },
        { cwd: join(resources, 'bin'), command: ['./hyperagent'] },
        { cwd: join(resources, 'bin'), command: ['--', '-h'] },
        { cwd: '/', command: [join(base, 'hyperagent')] },
      ];
      for (const { cwd, command } of calls) {
        const { stdout, stderr } = spawnSync('sh', [...command, '--version'], {
          ...{ cwd, encoding: 'utf8', env: { ...env, CDPATH: trap } },
        });
        expect([stdout, stderr], command.join(' ')).toEqual([`${VERSION}\n`, '']);
      }
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
      extractAll(archive, join(resources, 'app.asar'));
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
  },
);
