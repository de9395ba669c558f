import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Connector } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';
import { type ConnectorBench, openConnectorBench, SHORT_LIMITS } from './connector-bench.ts';
import cases from './hostile/cases.json' with { type: 'json' };

/**
 * Drives the hostile servers, which another wrote without knowing the client, and judges what came of each by the
 * sentence that says what must hold.
 */

export interface HostileCase {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly drive: string;
  readonly must: string;
  readonly effect?: Readonly<Record<string, string>>;
}

export const HOSTILE_CASES = cases as unknown as readonly HostileCase[];

/** Those that try to get out, or leave processes behind: only a sandbox stops them. */
export function needsSandbox({ kind, must }: HostileCase): boolean {
  return kind === 'escape' || /HOSTILE_TAG|process is gone|processes? /.test(must);
}

interface Step {
  readonly step: string;
  readonly code: string | null;
  readonly text: string;
  readonly isError: boolean;
}

export interface HostileOutcome {
  readonly case: HostileCase;
  readonly steps: readonly Step[];
  /** What did not hold; empty where all did. */
  readonly failures: readonly string[];
}

const HOSTILE = join(import.meta.dirname, 'hostile');
/** Longer than every limit of the bench together. */
const PATIENCE_MS = 40_000;

/** Drives one case in a bench of its own. */
export async function driveHostile(
  given: HostileCase,
  sandboxed: boolean,
): Promise<HostileOutcome> {
  await using bench = await openConnectorBench({
    limits: SHORT_LIMITS,
    sandboxed,
    seal: testKeychain(),
  });
  await using effects = await prepareEffects(bench.dir);
  const connector = await bench.program('notes', {
    args: [join(HOSTILE, 'hostile-server.mjs'), given.id],
    env: { ...effects.env, HOSTILE_MB: '20', HOSTILE_LIFETIME_MS: '60000' },
    folders: [
      { path: HOSTILE, access: 'read' },
      { path: effects.shared, access: 'write' },
    ],
  });
  const steps: Step[] = [];
  const drive = new Drive(bench, connector, effects.env.HOSTILE_SWITCH ?? '');
  for (const part of given.drive.replace(/ \(.*?\)$|, answer its .*$/, '').split('; ')) {
    steps.push(...(await drive.step(part)));
  }
  const offered = JSON.stringify(bench.connectors.usable().map(({ schema }) => schema));
  await bench.connectors.enable(connector.id, false);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const failures = [
    ...judge(given, steps, offered),
    ...effects.failures(sandboxed),
    ...(({} as { polluted?: unknown }).polluted === undefined ? [] : ['an object was polluted']),
  ];
  return { case: given, steps, failures };
}

class Drive {
  readonly #bench: ConnectorBench;
  readonly #connector: Connector;
  readonly #switch: string;
  #hasApproved = false;

  constructor(bench: ConnectorBench, connector: Connector, switchFile: string) {
    this.#bench = bench;
    this.#connector = connector;
    this.#switch = switchFile;
  }

  async step(text: string): Promise<Step[]> {
    const both = text.split(' & ');
    if (both.length > 1) return (await Promise.all(both.map((one) => this.step(one)))).flat();
    const times = / twice$/.test(text) ? 2 : Number(/ x(\d+)$/.exec(text)?.[1] ?? 1);
    const plain = text.replace(/ twice$| x\d+$/, '');
    const done: Step[] = [];
    for (let i = 0; i < times; i += 1) done.push(await this.#one(plain));
    return done;
  }

  async #one(step: string): Promise<Step> {
    const done = (text: string, isError = false): Step => ({ step, code: null, text, isError });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Step>((resolve) => {
      timer = setTimeout(
        () => resolve({ step, code: 'NEVER', text: 'it did not end', isError: true }),
        PATIENCE_MS,
      );
    });
    try {
      return await Promise.race([this.#act(step, done), late]);
    } catch (error) {
      const code = error instanceof AppError ? error.code : `THROWN ${String(error)}`;
      return { step, code, text: error instanceof Error ? error.message : '', isError: true };
    } finally {
      clearTimeout(timer);
    }
  }

  async #act(step: string, done: (text: string, isError?: boolean) => Step): Promise<Step> {
    const { connectors } = this.#bench;
    const { id } = this.#connector;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const [, verb = '', rest = ''] = /^(\w+):?\s*(.*)$/.exec(step) ?? [];
    switch (verb) {
      case 'connect':
      case 'list':
        await this.#list();
        return done('');
      case 'turn':
        writeFileSync(this.#switch, 'on');
        return done('');
      case 'wait':
        await new Promise((resolve) => setTimeout(resolve, Math.min(Number(rest), 5_000)));
        return done('');
      case 'reconnect':
        await connectors.restart(id, signal);
        return done('');
      case 'close':
        await connectors.enable(id, false);
        return done('');
      case 'cancel': {
        if (!this.#hasApproved) await this.#list();
        const stop = new AbortController();
        setTimeout(() => stop.abort(new AppError('CANCELLED', 'stopped')), 300);
        const { text } = await connectors.call(
          { connectorId: id, name: rest },
          {},
          { signal: stop.signal },
        );
        return done(text);
      }
      case 'call': {
        if (step.includes(' of github') || step.includes("app's own")) return done('(not here)');
        if (!this.#hasApproved) await this.#list();
        const [, name = '', args = '{}'] = /^(.*?)(?: (\{.*\}))?$/.exec(rest) ?? [];
        const { text, isError } = await connectors.call(
          { connectorId: id, name },
          JSON.parse(args),
          { signal },
        );
        return done(text, isError);
      }
      default:
        // Prompts and resources are not used yet.
        return done('(not used)');
    }
  }

  async #list(): Promise<void> {
    const { connectors } = this.#bench;
    const { id } = this.#connector;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const tools = await connectors.tools(id, { refresh: true, signal });
    if (this.#hasApproved) return;
    this.#hasApproved = true;
    connectors.approve(
      id,
      tools.filter(({ state }) => state === 'new'),
    );
  }
}

/** What must not be reached, and whether it was. */
async function prepareEffects(dir: string) {
  const shared = join(dir, 'shared');
  const outside = join(dir, 'outside');
  for (const path of [shared, outside]) {
    mkdirSync(path);
    chmodSync(path, 0o777);
  }
  const secret = `outside-${Math.random()}`;
  const file = join(dir, 'outside.txt');
  writeFileSync(file, secret);
  const empty = join(outside, 'empty');
  const home = join(outside, 'home');
  for (const path of [empty, home]) {
    mkdirSync(path);
    chmodSync(path, 0o777);
  }
  writeFileSync(join(home, 'hostile-home-name.txt'), 'x');
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve));
  const socketPath = join(dir, 'outside.sock');
  const unix: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => unix.listen(socketPath, resolve));
  chmodSync(socketPath, 0o777);
  process.env.HOSTILE_CANARY_SECRET = secret;
  const { port } = listener.address() as { port: number };
  const pidFile = join(shared, 'pids');
  const tag = `hostile-tag-${Math.random().toString(36).slice(2)}`;
  return {
    shared,
    secret,
    env: {
      HOSTILE_SWITCH: join(shared, 'switch'),
      HOSTILE_PIDFILE: pidFile,
      HOSTILE_PORT: String(port),
      HOSTILE_FILE: file,
      HOSTILE_DIR: empty,
      HOSTILE_HOME: home,
      HOSTILE_SOCKET: socketPath,
      HOSTILE_PID: String(process.pid),
      HOSTILE_TAG: tag,
    } as Readonly<Record<string, string>>,
    failures: (sandboxed: boolean): string[] => [
      ...(connections === 0 ? [] : [`${connections} connections arrived`]),
      ...(readdirSync(empty).length === 0 ? [] : ['a file outside was made']),
      ...(existsSync(file) &&
      readFileSync(file, 'utf8') === secret &&
      (statSync(file).mode & 0o777) === 0o644
        ? []
        : ['the file outside was changed']),
      ...(sandboxed ? leftBehind(tag).map((line) => `left behind: ${line}`) : []),
    ],
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => listener.close(resolve));
      await new Promise((resolve) => unix.close(resolve));
    },
  };
}

/** Command lines of processes with this word. */
function leftBehind(tag: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(tag) ? [line] : [];
      } catch {
        // It has ended.
        return [];
      }
    });
}

/** Applies the sentence of a case to what happened. */
function judge({ id, must, kind }: HostileCase, steps: readonly Step[], offered: string): string[] {
  const failures: string[] = [];
  const fail = (why: string): void => void failures.push(why);
  const mark = `HOSTILE-MARK-${id}`;
  for (const { step, code, text } of steps) {
    if (code === 'NEVER') fail(`${step} did not end`);
    if (code?.startsWith('THROWN')) fail(`${step} threw ${code}`);
    if (code === 'INTERNAL') fail(`${step} is a bug: ${text}`);
    if (text.length > 250_000) fail(`${step} gave ${text.length} characters`);
    if (kind === 'escape' && /REACHED/.test(must) && !/or the parent is only/.test(must)) {
      // A setuid bit may be set inside: it has no effect there, and its folder is closed to others. The certificates of
      // the sandbox are opened by Node itself, in another thread, and were not inherited.
      const reached = text
        .split('\n')
        .filter(
          (line) =>
            /REACHED/.test(line) && !/^setuid|^fds: REACHED \/opt\/hyperagent\/ca\.pem$/.test(line),
        );
      if (reached.length > 0) fail(`${step}: ${reached.join(' ').slice(0, 300)}`);
    }
    if (text.includes('outside-0.')) fail(`${step} gave what is outside`);
    if (text.includes('hostile-home-name')) fail(`${step} listed the home`);
  }
  const last = steps.at(-1);
  const calls = steps.filter(({ step }) => step.startsWith('call:'));
  const call = calls.at(-1);
  const connect = steps.find(({ step }) => step === 'connect' || step === 'list');
  if (/^The server is shown as failed/.test(must) && connect?.code !== 'CONNECTOR_UNAVAILABLE') {
    // A server that ends right after it answered is seen at the next step.
    if (last?.code == null) fail(`connected: ${connect?.code} ${connect?.text}`);
  }
  if (/^The call succeeds/.test(must) && (call?.code != null || call?.isError === true)) {
    fail(`the call did not succeed: ${call?.code} ${call?.text}`);
  }
  if (/^The call ends with a typed error within/.test(must) && !/, or /.test(must)) {
    if (call !== undefined && call.code === null && !call.isError)
      fail(`the call succeeded: ${call.text.slice(0, 100)}`);
  }
  if (/the good tool "work" can be used/.test(must) && !offered.includes('notes__work"')) {
    fail('work is not offered');
  }
  if (/switched off until reviewed|off until reviewed/.test(must)) {
    if (call?.text.includes(mark) === true && call.code === null)
      fail('the changed tool was called');
    if (offered.includes(mark)) fail('the new text is offered');
  }
  if (/mark is not in the result/.test(must) && call?.code === null && call.text.includes(mark)) {
    fail('the mark is in the result');
  }
  if (/does not carry 10,000|not grow by megabytes|does not reach the model in full/.test(must)) {
    if (offered.length > 400_000) fail(`${offered.length} characters are offered`);
  }
  return failures;
}
