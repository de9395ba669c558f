import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';
import { checkPackage } from '../../scripts/package/check-package.ts';
import { type Made, makePackage, STAND_IN } from '../../scripts/package/make-package.ts';
import { nameOf, type Target } from '../../scripts/package/targets.ts';
import { canPack, LINUX, packageFolder, packageFor, packNote, WINDOWS } from '../setup/packages.ts';

/** Packages of the app: what is in them, and what is noticed when it is not right. */

let base: string;
let linux: Made;
let windows: Made;

describe.skipIf(!canPack)(`a package of the app${packNote}`, () => {
  beforeAll(async () => {
    base = packageFolder();
    linux = await packageFor(LINUX, join(base, 'first'));
    windows = await packageFor(WINDOWS, join(base, 'first'));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const archiveOf = ({ packed }: Made): string => join(packed.resources, 'app.asar');
  const besideOf = ({ packed }: Made, file: string): string =>
    join(packed.resources, 'app.asar.unpacked', file);
  const problemsOf = async ({ packed, expected }: Made, target: Target) =>
    (await checkPackage({ packed, target, root: ROOT, expected })).problems;

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
    const again = await packageFor(LINUX, join(base, 'second'));
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
        'app.asar.unpacked/out/main/more.js is in no list of what a package has.',
        'out/main/cli.js is not the same in the archive and beside it.',
      ]);
    });

    it('with files that nobody meant: keys, more in the templates, two names for one', async () => {
      const { dir, resources } = linux.packed;
      const packs = 'app.asar.unpacked/resources/packs/node_modules';
      const more = ['.env', 'leak.txt', `${packs}/vite/more.js`, `${packs}/vite/license.MD`];
      for (const file of [join(dir, 'id_rsa'), ...more.map((name) => join(resources, name))]) {
        writeFileSync(file, JSON.stringify({ built: `${ROOT}scripts` }), { mode: 0o644 });
        onTestFinished(() => rmSync(file));
      }
      expect([...(await problemsOf(linux, LINUX))].sort()).toEqual(
        [
          ...['id_rsa', ...more].map((name) => `${name} is in no list of what a package has.`),
          ...['id_rsa', ...more.map((name) => `resources/${name}`)].map(
            (name) => `${name} has the path of the computer that built it.`,
          ),
          `resources/${packs}/vite/license.MD and resources/${packs}/vite/LICENSE.md are one file on Windows and macOS.`,
        ].sort(),
      );
    });

    it('with another command line, another Node, or without a file of the templates', async () => {
      const { resources } = linux.packed;
      const vite = 'app.asar.unpacked/resources/packs/node_modules/vite/package.json';
      change(join(resources, 'bin/hyperagent'), () => Buffer.from('#!/bin/sh\nexit 0\n'));
      change(join(resources, 'node/bin/node'), () => Buffer.from('#!/bin/sh\necho v24.21.0\n'));
      const moved = join(base, 'vite.json');
      renameSync(join(resources, vite), moved);
      onTestFinished(() => renameSync(moved, join(resources, vite)));
      expect([...(await problemsOf(linux, LINUX))].sort()).toEqual(
        [
          `${vite} is missing.`,
          'bin/hyperagent is not what went into the package.',
          'node/bin/node is not what went into the package.',
          'Node beside the app is no program.',
        ].sort(),
      );
    });

    it('that others can change, or cannot read, enter or start', async () => {
      const { dir, resources } = linux.packed;
      const modes = [
        ...[
          ['app.asar', 0o600],
          ['app.asar.unpacked/out/main/cli.js', 0o666],
        ],
        ...[
          ['node/bin/node', 0o700],
          ['app.asar.unpacked/out', 0o700],
        ],
      ] as const;
      for (const [path, mode] of modes) {
        const file = join(resources, path);
        const before = statSync(file).mode;
        chmodSync(file, mode);
        onTestFinished(() => chmodSync(file, before));
      }
      chmodSync(dir, 0o777);
      onTestFinished(() => chmodSync(dir, 0o755));
      expect([...(await problemsOf(linux, LINUX))].sort()).toEqual(
        [
          'resources/app.asar cannot be read by everybody.',
          'resources/node/bin/node cannot be read by everybody.',
          'resources/app.asar.unpacked/out/main/cli.js can be changed by others.',
          'resources/node/bin/node cannot be started by everybody.',
          'The folder . cannot be entered by everybody, or can be changed by others.',
          'The folder resources/app.asar.unpacked/out cannot be entered by everybody, or can be changed by others.',
        ].sort(),
      );
    });

    it('with libraries for processors that are in no target, or for musl', async () => {
      const folder = join(linux.packed.resources, 'app.asar.unpacked/resources/packs');
      const elf = Buffer.from('\x7fELF\x02\x01\x01'.padEnd(64, '\0'), 'latin1');
      const i386 = Buffer.from(elf);
      i386.writeUInt16LE(3, 18);
      elf.writeUInt16LE(process.arch === 'x64' ? 0x3e : 0xb7, 18);
      const libraries = {
        'a.so': i386,
        'b.dylib': Buffer.from('cafebabe00000002'.padEnd(128, '0'), 'hex'),
        'c.node': Buffer.concat([elf, Buffer.from('libc.musl-x86_64.so.1')]),
        'd.node': Buffer.from('not a module'),
      };
      for (const [name, content] of Object.entries(libraries)) {
        writeFileSync(join(folder, name), content);
        onTestFinished(() => rmSync(join(folder, name)));
      }
      const packs = 'resources/app.asar.unpacked/resources/packs';
      expect(
        (await problemsOf(linux, LINUX)).filter((problem) => !problem.includes('in no list')),
      ).toEqual([
        `${packs}/a.so is for linux and another processor, not for ${nameOf(LINUX)}.`,
        `${packs}/b.dylib is for darwin and another processor, not for ${nameOf(LINUX)}.`,
        `${packs}/c.node is for musl, not for glibc.`,
        `${packs}/d.node is no native module.`,
      ]);
    });

    it("with another system's native module, or none", async () => {
      const own = `node_modules/better-sqlite3/prebuilds/${nameOf(LINUX)}.node`;
      const other = join(ROOT, 'node_modules/better-sqlite3/prebuilds/win32-x64.node');
      change(besideOf(linux, own), () => readFileSync(other));
      expect(await problemsOf(linux, LINUX)).toEqual([
        `${own} is not the same in the archive and beside it.`,
        `resources/app.asar.unpacked/${own} is for win32-x64, not for ${nameOf(LINUX)}.`,
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
        'resources/app.asar has the path of the computer that built it.',
        'resources/app.asar.unpacked/out/main/index.js has the path of the computer that built it.',
        expect.stringMatching(/^archiveBytes is \d+, over the limit of \d+\.$/),
        expect.stringMatching(/^besideBytes is \d+, over the limit of \d+\.$/),
      ]);
    });
  });
});
