import { WORKSPACE } from '../inside.ts';
import type {
  Command,
  CommandOptions,
  CommandResult,
  OutputChunk,
  SandboxRuntime,
} from '../types.ts';

/** A folder that has another name inside than outside. */
export interface NamedFolder {
  /** What models call it, such as `/workspace`. */
  readonly name: string;
  /** A link to it, or a mount of it, whose path needs no quoting. */
  readonly alias: string;
  /** Its path on the host. */
  readonly dir: string;
}

/** With the workspace alone, see `withNamedFolders`. */
export function withNamedWorkspace(
  runtime: SandboxRuntime,
  { alias, workspaceDir }: { readonly alias: string; readonly workspaceDir: string },
): SandboxRuntime {
  return withNamedFolders(runtime, [{ name: WORKSPACE, alias, dir: workspaceDir }]);
}

/**
 * A runtime whose folders have the names that models know, where there are no mounts. In commands a name is replaced
 * by its alias; in output both paths are replaced by the name. Programs read from files run unchanged.
 */
export function withNamedFolders(
  runtime: SandboxRuntime,
  folders: readonly NamedFolder[],
): SandboxRuntime {
  const names = folders.map(({ name }) => name.slice(1)).join('|');
  const inward = new RegExp(`(?<![\\w./-])/(${names})(?![\\w.-])`, 'g');
  const aliases = new Map(folders.map(({ name, alias }) => [name, alias]));
  const paths = folders.flatMap(({ name, alias, dir }) => [
    { path: alias, name },
    { path: dir, name },
  ]);
  const outward = (text: string): string => rename(text, paths);
  return {
    level: runtime.level,
    get network() {
      return runtime.network;
    },
    run: async (command: Command, options: CommandOptions): Promise<CommandResult> => {
      const code = command.code.replace(inward, (name) => aliases.get(name) ?? name);
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

interface Renaming {
  readonly path: string;
  readonly name: string;
}

function rename(text: string, paths: readonly Renaming[]): string {
  return paths.reduce((renamed, { path, name }) => renamed.replaceAll(path, name), text);
}

/** Renames paths in text that comes in pieces, and recomputes the offsets. */
class Renamer {
  readonly #paths: readonly Renaming[];
  readonly #onOutput: (chunk: Omit<OutputChunk, 'stream'>) => void;
  #pending = '';
  #offset = 0;

  constructor(paths: readonly Renaming[], onOutput: (chunk: Omit<OutputChunk, 'stream'>) => void) {
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
    const longest = Math.max(...this.#paths.map(({ path }) => path.length)) - 1;
    for (let count = Math.min(text.length, longest); count > 0; count -= 1) {
      const end = text.slice(text.length - count);
      if (this.#paths.some(({ path }) => path.startsWith(end))) return count;
    }
    return 0;
  }
}
