import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { RuntimeState } from '#contract/local-models.ts';
import { findEmbeddedRuntime, NOT_INSTALLED } from './find-runtime.ts';

/** What npm needs of the environment: no key of the user is among it. */
const FOR_NPM =
  /^(?:path|home|userprofile|appdata|localappdata|temp|tmp|tmpdir|systemroot|comspec|pathext|lang|lc_all|xdg_\w+|npm_config_\w+|(?:https?|no)_proxy|node_extra_ca_certs|ssl_cert_file)$/i;
/** Also among those: npm reads what it needs to sign in from its own files. */
const SIGNS_IN = /^npm_config_\w*(?:auth|passw|token|otp|key)/i;
const LONGEST_OUTPUT = 4_000;

/** Installs the runtime for model files as `npm run embedded` does, in a clone that has the script. */
export class RuntimeInstaller implements AsyncDisposable {
  readonly #root: string;
  #running: { readonly done: Promise<void>; readonly stop: () => void } | null = null;

  /** `root` is the app's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  state(): RuntimeState {
    if (this.#running !== null) return 'installing';
    if (findEmbeddedRuntime(this.#root) !== null) return 'ready';
    return this.#command() === null ? 'missing' : 'installable';
  }

  /** Resolves when it is installed; a second call waits for the first. Throws `MODEL_SERVER_UNREACHABLE`. */
  install(): Promise<void> {
    if (this.#running !== null) return this.#running.done;
    if (findEmbeddedRuntime(this.#root) !== null) return Promise.resolve();
    const command = this.#command();
    if (command === null) throw new AppError('MODEL_SERVER_UNREACHABLE', NOT_INSTALLED);
    const [node, script] = command;
    const isWindows = process.platform === 'win32';
    const child = spawn(node, [script], {
      cwd: this.#root,
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => FOR_NPM.test(name) && !SIGNS_IN.test(name)),
      ),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that npm ends too.
      detached: !isWindows,
    });
    let output = '';
    const keep = (text: string): void => {
      output = (output + text).slice(-LONGEST_OUTPUT);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const done = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        if (findEmbeddedRuntime(this.#root) !== null && code === 0) resolve();
        else reject(new Error(lastLine(output) ?? `exit code ${code}`));
      });
    })
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        throw new AppError(
          'MODEL_SERVER_UNREACHABLE',
          `The runtime for model files could not be installed: ${why}. Check the network, then try again, or run npm run embedded in the app folder.`,
          { cause: error },
        );
      })
      .finally(() => {
        this.#running = null;
      });
    const stop = (): void => {
      if (child.pid === undefined || child.exitCode !== null) return;
      try {
        if (isWindows) child.kill();
        else process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended meanwhile.
      }
    };
    this.#running = { done, stop };
    return done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#running;
    running?.stop();
    await running?.done.catch(() => undefined);
  }

  /** Node and the script; null in an installed app, which has neither. */
  #command(): readonly [string, string] | null {
    const script = join(this.#root, 'scripts', 'embedded.ts');
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    const packaged = join(this.#root, 'node_modules', 'node', 'bin', name);
    const own = process.versions.electron === undefined ? process.execPath : null;
    const node = existsSync(packaged) ? packaged : own;
    return node !== null && existsSync(script) ? [node, script] : null;
  }
}

function lastLine(text: string): string | null {
  const line = text.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : line.slice(0, 300);
}
