import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sha256 } from '#main/base/canonical-json.ts';
import { build, isBuildStale, ROOT } from './build-state.ts';
import type { PackageFacts } from './package/check-package.ts';
import { makePackage, STAND_IN } from './package/make-package.ts';
import { nodeProgram } from './package/node-executable.ts';
import { modulesFor } from './package/npm.ts';
import { isHost, nameOf, TARGETS, type Target, targetNamed } from './package/targets.ts';

const HELP = `npm run package [-- OPTIONS]

Makes packages of the app in dist/ and checks what is in them.

  --target NAME    ${TARGETS.map(nameOf).join(', ')}; more than once for more. Without it: this computer's
  --format NAME    of electron-builder, such as AppImage, deb, nsis, dmg, tar.gz or dir (the folder alone).
                   Without it: those of electron-builder.json
  --electron DIR   an unpacked Electron of the target, in place of a download
  --node FILE      the Node to ship, for targets that npm has none for
  --stand-in       with a stand-in for Electron, which does nothing: to see the packaging itself.
                   Without --target: Linux and Windows, x64 and arm64; without --format: dir
`;

const CACHE = join(ROOT, 'node_modules/.cache/package');

const values = readOptions();

if (values === null) process.exitCode = 2;
else if (values.help) process.stdout.write(HELP);
else await makePackages(values).catch(failed);

type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Null for options that there are not, which is said on stderr. */
function readOptions() {
  try {
    return parseArgs({
      options: {
        target: { type: 'string', multiple: true },
        format: { type: 'string', multiple: true },
        electron: { type: 'string' },
        node: { type: 'string' },
        'stand-in': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    return null;
  }
}

async function makePackages(values: Options): Promise<void> {
  const isStandIn = values['stand-in'];
  const usual = isStandIn ? standInTargets() : [hostTarget()];
  const targets = new Set(values.target?.map(targetNamed) ?? usual);
  if (isBuildStale() && !build()) throw new Error('The app does not build.');
  use7zipOfPath();
  const rows: string[][] = [
    ['target', 'files in archive', 'archive MB', 'beside MB', 'templates MB', 'Node MB', 'SHA-256'],
  ];
  const problems: string[] = [];
  for (const target of targets) {
    const { packed, facts } = await packageFor(target, values);
    rows.push(rowOf(target, facts));
    problems.push(...facts.problems.map((problem) => `${nameOf(target)}: ${problem}`));
    for (const file of packed.files) process.stdout.write(`${file}\n`);
  }
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function packageFor(target: Target, values: Options): ReturnType<typeof makePackage> {
  const isStandIn = values['stand-in'];
  const lockHash = sha256(readFileSync(join(ROOT, 'package-lock.json')));
  return await makePackage({
    ...{ root: ROOT, target, output: join(ROOT, 'dist'), withTemplates: true },
    modules: isHost(target)
      ? join(ROOT, 'node_modules')
      : modulesFor(target, { root: ROOT, cache: CACHE, lockHash }),
    electron: isStandIn ? STAND_IN : (values.electron ?? null),
    node: await chooseNode(target, values),
    formats: values.format ?? (isStandIn ? ['dir'] : []),
  });
}

async function chooseNode(target: Target, values: Options): Promise<string | typeof STAND_IN> {
  if (values.node !== undefined) return resolve(values.node);
  try {
    return await nodeProgram(target, { root: ROOT, cache: CACHE });
  } catch (error) {
    if (!values['stand-in']) throw error;
    process.stderr.write(
      `${nameOf(target)}: a stand-in for Node too. ${(error as Error).message}\n`,
    );
    return STAND_IN;
  }
}

function hostTarget(): Target {
  return targetNamed(`${process.platform}-${process.arch}`);
}

function standInTargets(): Target[] {
  return TARGETS.filter(({ platform }) => platform !== 'darwin');
}

/** electron-builder downloads the program that makes archives, unless it is given one. */
function use7zipOfPath(): void {
  const finder = process.platform === 'win32' ? 'where' : 'which';
  const { stdout } = spawnSync(finder, ['7za'], { encoding: 'utf8' });
  const found = stdout?.split('\n')[0]?.trim();
  if (found) process.env.ELECTRON_BUILDER_7ZIP_PATH ??= found;
}

function rowOf(target: Target, facts: PackageFacts): string[] {
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const { archivedFiles, archiveBytes, besideBytes, packBytes, nodeBytes, digest } = facts;
  return [
    ...[nameOf(target), String(archivedFiles), megabytes(archiveBytes), megabytes(besideBytes)],
    ...[megabytes(packBytes), megabytes(nodeBytes), digest.slice(0, 16)],
  ];
}

function failed(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const isOffline = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\b/.test(message);
  const hint = isOffline
    ? 'electron-builder downloads Electron and its own tools. Name an unpacked Electron with --electron DIR, or see the packaging itself with --stand-in.\n'
    : '';
  process.stderr.write(`${message}\n${hint}`);
  process.exitCode = 1;
}
