import { WORKSPACE } from '../inside.ts';
import type {
  Command,
  CommandOptions,
  CommandResult,
  OutputChunk,
  SandboxRuntime,
} from '../types.ts';

/**
 * A runtime whose workspace has the name that models know, `/workspace`, on a system without mounts. In
 * commands the name is replaced by `alias`, a link to the workspace whose path needs no quoting; in output
 * both paths are replaced by the name. Programs read from files run unchanged.
 */
export function withNamedWorkspace(
  runtime: SandboxRuntime,
  { alias, workspaceDir }: { readonly alias: string; readonly workspaceDir: string },
): SandboxRuntime {
  const inward = /(?<![\w./-])\/workspace(?![\w.-])/g;
  const paths = [alias, workspaceDir];
  const outward = (text: string): string => rename(text, paths);
  return {
    level: runtime.level,
    network: null,
    run: async (command: Command, options: CommandOptions): Promise<CommandResult> => {
      const code = command.code.replace(inward, () => alias);
      const streams = {
        stdout: new Renamer(paths, (chunk) => options.onOutput({ stream: 'stdout', ...chunk })),
        stderr: new Renamer(paths, (chunk) => options.onOutput({ stream: 'stderr', ...chunk })),
      };
      const result = await runtime.run(
        { ...command, code },
        { signal: options.signal, onOutput: ({ stream, text }) => streams[stream].push(text) },
      );
      streams.stdout.end();
      streams.stderr.end();
      return { ...result, stdout: outward(result.stdout), stderr: outward(result.stderr) };
    },
    programs: () => runtime.programs(),
    endPrograms: () => runtime.endPrograms(),
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
}

function rename(text: string, paths: readonly string[]): string {
  return paths.reduce((renamed, path) => renamed.replaceAll(path, WORKSPACE), text);
}

/** Renames paths in text that comes in pieces, and recomputes the offsets. */
class Renamer {
  readonly #paths: readonly string[];
  readonly #onOutput: (chunk: Omit<OutputChunk, 'stream'>) => void;
  #pending = '';
  #offset = 0;

  constructor(paths: readonly string[], onOutput: (chunk: Omit<OutputChunk, 'stream'>) => void) {
    this.#paths = paths;
    this.#onOutput = onOutput;
  }

  push(piece: string): void {
    const text = rename(this.#pending + piece, this.#paths);
    const pending = this.#beginsPath(text);
    this.#pending = text.slice(text.length - pending);
    this.#emit(text.slice(0, text.length - pending));
  }

  end(): void {
    this.#emit(this.#pending);
    this.#pending = '';
  }

  #emit(text: string): void {
    if (text === '') return;
    this.#onOutput({ offset: this.#offset, text });
    this.#offset += text.length;
  }

  /** How many characters at the end could be the beginning of a path. */
  #beginsPath(text: string): number {
    const longest = Math.max(...this.#paths.map((path) => path.length)) - 1;
    for (let count = Math.min(text.length, longest); count > 0; count -= 1) {
      const end = text.slice(text.length - count);
      if (this.#paths.some((path) => path.startsWith(end))) return count;
    }
    return 0;
  }
}
