import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { isLoopback } from '../transport/create-agent.ts';

/** What Ollama needs of the environment: programs, folders, languages, proxies and graphics cards. */
const FOR_OLLAMA =
  /^(?:path|home|user|username|logname|userprofile|(?:local)?appdata|programdata|programfiles|temp|tmp|tmpdir|systemroot|systemdrive|windir|comspec|pathext|lang|lc_\w+|xdg_\w+|(?:https?|no|all)_proxy|ssl_cert_(?:file|dir)|ld_library_path|dyld_library_path|(?:ollama|ggml|llama|cuda|nvidia|gpu|hip|hsa|rocr|rocm|vk)_\w+)$/i;
/** Also among those. */
const HOLDS_KEY = /key|token|secret|passw|credential|auth/i;

/** The installed `ollama` program; null if there is none. */
export async function findOllama(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const isWindows = process.platform === 'win32';
  const name = isWindows ? 'ollama.exe' : 'ollama';
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = isWindows
    ? [join(env.LOCALAPPDATA ?? '', 'Programs', 'Ollama')]
    : process.platform === 'darwin'
      ? ['/Applications/Ollama.app/Contents/Resources', '/opt/homebrew/bin', '/usr/local/bin']
      : [];
  for (const folder of [...folders, ...usual]) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/**
 * Starts `ollama serve` at this address of this computer. It keeps running when the app ends, as if the user had
 * started it. Resolves once `isUp` does; throws `MODEL_SERVER_UNREACHABLE` if it ends or does not answer in time.
 */
export async function startOllama(
  program: string,
  address: string,
  options: {
    readonly isUp: (signal: AbortSignal) => Promise<boolean>;
    readonly signal: AbortSignal;
    readonly withinMs?: number;
  },
): Promise<void> {
  const url = new URL(address);
  if (!isLoopback(url)) {
    throw new AppError(
      'BAD_REQUEST',
      `Ollama is set to ${url.host}, which is another computer. Start it there.`,
    );
  }
  const { isUp, signal, withinMs = 30_000 } = options;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => FOR_OLLAMA.test(name) && !HOLDS_KEY.test(name)),
  );
  const child = spawn(program, ['serve'], {
    env: { ...env, OLLAMA_HOST: url.host },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error.message)));
    child.once('exit', (code, by) => reject(notStarted(`it ended (${by ?? `exit code ${code}`})`)));
  });
  ended.catch(() => undefined);
  child.unref();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const answers = async (): Promise<void> => {
    while (!(await isUp(limit).catch(() => false))) {
      if (limit.aborted) throw signal.aborted ? signal.reason : notStarted('it does not answer');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await Promise.race([answers(), ended]);
}

function notStarted(why: string): AppError {
  return new AppError(
    'MODEL_SERVER_UNREACHABLE',
    `Ollama could not be started: ${why}. Start it in a terminal with: ollama serve`,
  );
}
