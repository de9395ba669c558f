import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LandlockProvider } from '#main/sandbox/landlock-provider/landlock-provider.ts';
import { giveToPrograms, workspaceOwner } from '#main/sandbox/workspace/owner.ts';
import { probeChannel, providerParts } from '../main/sandbox/provider-parts.ts';

/**
 * Runs the attacks of `test/fixtures/landlock-attacks`, which were written without a look at the sandbox, each in a
 * runtime of its own, and judges by effect: what it printed, what reached the stand-ins outside, what survived.
 */

const MEGABYTE = 1024 * 1024;
const LIMITS = {
  memoryBytes: 256 * MEGABYTE,
  cpus: 2,
  pids: 64,
  fileBytes: 64 * MEGABYTE,
  diskBytes: 96 * MEGABYTE,
};
const FIXTURES = join(import.meta.dirname, '../fixtures');
export const ATTACKS = join(FIXTURES, 'landlock-attacks');
const PARTS = join(FIXTURES, 'landlock-attack-parts');
const { signal } = new AbortController();

export interface AttackResult {
  readonly name: string;
  /** The last word of the attack about itself. */
  readonly verdict: string;
  /** How it got out; empty if it did not. */
  readonly out: readonly string[];
}

/** The whole program of an attack: a line such as `# prologue` stands for the part of that name, which several share. */
async function attackText(name: string): Promise<string> {
  const lines = (await readFile(join(ATTACKS, name), 'utf8')).split('\n');
  const parts = new Set((await readdir(PARTS)).map((part) => `# ${part.replace('.py', '')}`));
  const texts = lines.map((line) =>
    parts.has(line) ? readFile(join(PARTS, `${line.slice(2)}.py`), 'utf8') : line,
  );
  return (await Promise.all(texts)).join('\n');
}

/** Stand-ins outside, owned by the user that programs run as: permissions alone protect none of them. */
export class AttackGround implements AsyncDisposable {
  readonly #dir: string;
  readonly #secret: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #end: () => Promise<void>;

  private constructor(
    dir: string,
    secret: string,
    given: { variables: Record<string, string>; end: () => Promise<void> },
  ) {
    this.#dir = dir;
    this.#secret = secret;
    this.#variables = given.variables;
    this.#end = given.end;
  }

  static async open(): Promise<AttackGround> {
    // Not in /tmp, which has another meaning in the text of commands.
    const dir = await mkdtemp('/var/tmp/ha-attacks-');
    await chmod(dir, 0o755);
    const canaryDir = join(dir, 'canary-dir');
    await mkdir(canaryDir);
    const canary = randomBytes(24).toString('hex');
    const secret = randomBytes(24).toString('hex');
    await writeFile(join(dir, 'canary'), canary);
    await writeFile(join(dir, '.git-credentials'), `https://user:${canary}@example.com\n`);
    await writeFile(join(canaryDir, 'delete-me.txt'), 'here');
    await writeFile(join(canaryDir, 'run-me.sh'), '#!/bin/sh\necho RAN-OUTSIDE\n', { mode: 0o755 });
    await symlink('/nonexistent', join(canaryDir, 'points-somewhere'));
    const owner = workspaceOwner();
    if (owner !== null) {
      const names = await readdir(canaryDir);
      const paths = [dir, join(dir, 'canary'), join(dir, '.git-credentials'), canaryDir];
      for (const path of [
        ...paths,
        ...names.filter((name) => name !== 'points-somewhere').map((name) => join(canaryDir, name)),
      ]) {
        await chown(path, owner.uid, owner.gid);
      }
    }
    const victim = spawn('/usr/bin/python3', ['-I', join(FIXTURES, 'landlock-stand-ins.py'), dir], {
      ...owner,
      cwd: '/',
      env: { HYPERAGENT_CANARY_SECRET: secret },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = await new Promise<string[]>((resolve) => {
      createInterface(victim.stdout).once('line', (text: string) => resolve([text]));
    });
    const ports = JSON.parse(line ?? '{}') as {
      tcp: number;
      udp: number;
      unix: string;
      abstract: string;
    };
    const variables = {
      CANARY_FILE: join(dir, 'canary'),
      CANARY_TEXT_SHA256: createHash('sha256').update(canary).digest('hex'),
      CANARY_DIR: canaryDir,
      HOST_TCP_PORT: `${ports.tcp}`,
      HOST_UDP_PORT: `${ports.udp}`,
      HOST_UNIX_SOCKET: ports.unix,
      HOST_ABSTRACT_SOCKET: ports.abstract,
      VICTIM_PID: `${victim.pid}`,
      RELAY_PORT: '8118',
      OTHER_TASK_RELAY_PORT: `${ports.tcp}`,
      PIDS_LIMIT: `${LIMITS.pids}`,
      MEMORY_LIMIT: `${LIMITS.memoryBytes}`,
      DISK_LIMIT: `${LIMITS.diskBytes}`,
    };
    const end = async (): Promise<void> => {
      victim.stdin.end();
      await new Promise((resolve) => victim.once('exit', resolve));
      await rm(dir, { recursive: true, force: true });
    };
    return new AttackGround(dir, secret, { variables, end });
  }

  async run(name: string): Promise<AttackResult> {
    const state = await mkdtemp(join(this.#dir, 'app-'));
    const workspaceDir = join(state, 'workspaces', 'one');
    await mkdir(workspaceDir, { recursive: true });
    await writeFile(join(workspaceDir, name), await attackText(name));
    await chmod(join(workspaceDir, name), 0o755);
    const before = await this.#state();
    const provider = new LandlockProvider({
      ...providerParts(state),
      environment: { ...process.env, HYPERAGENT_CANARY_SECRET: this.#secret },
    });
    const spec = { key: 'attack', workspaceDir, limits: LIMITS, channel: probeChannel() };
    const runtime = await provider.start(spec, signal);
    const exports = Object.entries(this.#variables).map(
      ([key, value]) => `export ${key}='${value}'`,
    );
    const program = name.endsWith('.py') ? 'python3' : 'bash';
    const code = [
      ...exports,
      'export WORKSPACE=/workspace',
      `cd /workspace; ${program} ./${name}`,
    ].join('\n');
    const result = await runtime.run(
      { commandId: name, language: 'bash', code, timeoutMs: 180_000 },
      { signal, onOutput: () => undefined },
    );
    await runtime[Symbol.asyncDispose]();
    const lines = result.stdout.trim().split('\n');
    const verdict =
      lines.findLast((line) => /^(OUT|HELD|N\/A|KNOWN|CHECK|ERROR):/.test(line)) ??
      `ended: ${result.outcome} ${result.stderr.slice(-200)}`;
    const out = [
      ...(verdict.startsWith('OUT:') ? [verdict] : []),
      ...(result.stdout.includes(this.#secret) ? ['the secret was printed'] : []),
      ...(await survivors(workspaceDir)),
      ...difference(before, await this.#state()),
    ];
    await rm(state, { recursive: true, force: true });
    return { name, verdict, out };
  }

  /** The verdict of an attack that runs as the same user, without a sandbox. */
  async runOutside(name: string): Promise<string> {
    const workspaceDir = await mkdtemp(join(this.#dir, 'outside-'));
    await giveToPrograms(workspaceDir);
    const { stdout } = await promisify(execFile)('python3', ['-c', await attackText(name)], {
      ...workspaceOwner(),
      cwd: workspaceDir,
      env: { ...this.#variables, WORKSPACE: workspaceDir, PATH: '/usr/bin:/bin' },
    });
    return stdout.trim().split('\n').at(-1) ?? '';
  }

  /** Everything outside that an attack may change. */
  async #state(): Promise<string[]> {
    const names = ['log', 'canary', 'canary-dir/delete-me.txt', 'canary-dir/run-me.sh'];
    const texts = names.map((name) =>
      readFile(join(this.#dir, name), 'utf8').catch((error) => String(error)),
    );
    return [
      ...(await Promise.all(texts)),
      (await readdir(join(this.#dir, 'canary-dir'))).join(' '),
    ];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}

function difference(before: readonly string[], after: readonly string[]): string[] {
  return after
    .filter((text, at) => text !== before[at])
    .map((text) => `outside: ${text.slice(-300)}`);
}

/** Processes that an attack left markers of, and that live after the runtime has ended. */
async function survivors(workspaceDir: string): Promise<string[]> {
  const folder = join(workspaceDir, 'survivors');
  const markers = await readdir(folder).catch(() => []);
  if (markers.length === 0) return [];
  const read = () => Promise.all(markers.map((marker) => readFile(join(folder, marker), 'utf8')));
  const first = await read();
  await wait(2_000);
  const second = await read();
  return second.flatMap((text, at) => {
    const isMoving = text !== first[at];
    return isMoving || isAlive(Number.parseInt(text, 10))
      ? [`survived: ${markers[at]} ${text}`]
      : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
