import { WORKSPACE } from '../inside.ts';
import type {
  Command,
  CommandOptions,
  CommandResult,
  OutputChunk,
  SandboxRuntime,
} from '../types.ts';

/**
 * A runtime whose workspace goes by the name that models know, `/workspace`, where the system has no
 * mounts. In the text of commands the name gives way to `alias`, a link to the workspace whose path
 * needs no quoting; in what they print both paths give way to the name. A program that is read from a
 * file is run as it stands.
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

/** Renames paths in text that comes in pieces, and counts the offsets anew. */
class Renamer {
  readonly #paths: readonly string[];
  readonly #tell: (chunk: Omit<OutputChunk, 'stream'>) => void;
  #held = '';
  #offset = 0;

  constructor(paths: readonly string[], tell: (chunk: Omit<OutputChunk, 'stream'>) => void) {
    this.#paths = paths;
    this.#tell = tell;
  }

  push(piece: string): void {
    const text = rename(this.#held + piece, this.#paths);
    const held = this.#beginsPath(text);
    this.#held = text.slice(text.length - held);
    this.#say(text.slice(0, text.length - held));
  }

  end(): void {
    this.#say(this.#held);
    this.#held = '';
  }

  #say(text: string): void {
    if (text === '') return;
    this.#tell({ offset: this.#offset, text });
    this.#offset += text.length;
  }

  /** How many characters at the end may be the beginning of a path. */
  #beginsPath(text: string): number {
    const longest = Math.max(...this.#paths.map((path) => path.length)) - 1;
    for (let count = Math.min(text.length, longest); count > 0; count -= 1) {
      const end = text.slice(text.length - count);
      if (this.#paths.some((path) => path.startsWith(end))) return count;
    }
    return 0;
  }
}
