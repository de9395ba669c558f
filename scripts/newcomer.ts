import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './build-state.ts';

/**
 * `npm run newcomer [-- [--keep] test arguments]`: tests the first steps of a new user on a bare Debian with
 * only Node and npm. Creates such a system in a folder, clones the current commit into it, and runs
 * `npm ci`, `npm start` until the window answers, and `npm test` there, each timed. Needs root on Debian.
 * The system is deleted at the end, unless `--keep` is given.
 */
const SUITE = 'bookworm';
const WINDOW_WITHIN_MS = 5 * 60_000;
/** Copied from this machine: without them nothing in the folder reaches a registry. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'];

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

function must(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) fail(`${command} ${args[0]}: ${error?.message ?? stderr.trim()}`);
}

/** Installs a bare Debian with Node and npm in `root`, and this checkout in its `/home/app`. */
function installSystem(root: string): void {
  must('debootstrap', '--variant=minbase', SUITE, root);
  // Node is a single file; npm is a folder of scripts next to it.
  const npm = dirname(dirname(process.env.npm_execpath ?? fail('Run this with npm run newcomer.')));
  mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    must(
      'ln',
      '-s',
      `../lib/node_modules/npm/bin/${name}-cli.js`,
      join(root, 'usr/local/bin', name),
    );
  }
  for (const file of NETWORK_FILES.filter(existsSync)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    cpSync(file, join(root, file), { dereference: true });
  }
  must('git', 'clone', '--quiet', ROOT, join(root, 'home/app'));
  writeFileSync(join(root, 'enter.sh'), ENTER, { mode: 0o755 });
}

/** Makes the folder the root file system. Not with chroot, because sandboxes cannot start in one. */
const ENTER = `set -e
root=$1; shift
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mkdir -p .old
pivot_root . .old
cd /home/app
umount -l /.old
# This shell is process 1 inside: it must stay to adopt orphaned processes.
"$@" &
child=$!
trap 'kill -TERM $child' TERM INT
wait $child
`;

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  CI: 'true',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
};

/** Starts a command inside; its whole process tree ends with it. */
function start(root: string, command: string, stdout: 'inherit' | 'pipe') {
  const unshare = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
  return spawn('unshare', [...unshare, 'sh', join(root, 'enter.sh'), root, 'sh', '-c', command], {
    stdio: ['ignore', stdout, 'inherit'],
    env: ENVIRONMENT,
  });
}

async function timed(name: string, work: () => Promise<boolean>): Promise<string> {
  process.stdout.write(`\n== ${name}\n`);
  const startedAt = performance.now();
  const passed = await work();
  if (!passed) process.exitCode = 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return `${passed ? 'passed' : 'FAILED'}: ${name} (${seconds} s)`;
}

const run = (root: string, command: string) => (): Promise<boolean> =>
  new Promise((resolve) => {
    start(root, command, 'inherit').on('close', (code) => resolve(code === 0));
  });

/** Whether the address that `npm start` prints answers. */
const opens = (root: string) => (): Promise<boolean> =>
  new Promise((resolve) => {
    const app = start(root, 'npm start', 'pipe');
    const limit = setTimeout(() => app.kill('SIGKILL'), WINDOW_WITHIN_MS);
    let output = '';
    let answered = false;
    app.stdout?.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      output += String(chunk);
      const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output)?.[0];
      if (url === undefined || answered) return;
      answered = true;
      void fetch(url).then(
        ({ status }) => {
          answered = status === 200;
          app.kill('SIGKILL');
        },
        () => app.kill('SIGKILL'),
      );
    });
    app.on('close', () => {
      clearTimeout(limit);
      resolve(answered);
    });
  });

if (process.platform !== 'linux' || process.getuid?.() !== 0) fail('This needs Linux, as root.');
if (spawnSync('debootstrap', ['--version']).status !== 0) {
  fail('This needs debootstrap: apt-get install debootstrap');
}
const root = mkdtempSync('/var/tmp/hyperagent-newcomer-');
const lines: string[] = [];
try {
  process.stdout.write('Installing a bare Debian…\n');
  installSystem(root);
  const forTests = process.argv.slice(2).filter((one) => one !== '--keep');
  const quoted = forTests.map((one) => `'${one.replaceAll("'", "'\\''")}'`);
  lines.push(await timed('npm ci', run(root, 'npm ci --no-progress')));
  lines.push(await timed('npm start, until the window answers', opens(root)));
  lines.push(await timed('npm test', run(root, ['npm test --', ...quoted].join(' '))));
} finally {
  if (process.argv.includes('--keep')) {
    const inside = `unshare --mount --pid --fork --propagation private sh ${join(root, 'enter.sh')}`;
    process.stdout.write(`\nEnter the system with: ${inside} ${root} bash\n`);
  } else rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`\n${lines.join('\n')}\n`);
