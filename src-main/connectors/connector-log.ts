import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConnectorLogLine } from '#contract/connectors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { Clock } from '../base/clock.ts';

const MOST_LINES = 300;
const MOST_FILE_BYTES = 256 * 1024;
const LINE_CHARS = 500;
/** Of a line that has not ended. */
const REST_CHARS = 16_384;
/** Lines of standard error in each second; a program that prints more has the rest counted. */
const MOST_STDERR = 50;

export interface ConnectorLogParts {
  readonly file: string;
  readonly clock: Clock;
  /** Removes known secrets. */
  readonly clean: (text: string) => string;
}

/**
 * What happened at a connector: the newest lines, in a file, so that another process can show them. The file before it
 * is kept too.
 */
export class ConnectorLog {
  readonly #parts: ConnectorLogParts;
  #second = 0;
  #inSecond = 0;
  #rest = '';

  constructor(parts: ConnectorLogParts) {
    this.#parts = parts;
  }

  add(kind: ConnectorLogLine['kind'], text: string): void {
    const { file, clock, clean } = this.#parts;
    const line = { at: clock.now(), kind, text: makeVisible(clean(text)).slice(0, LINE_CHARS) };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MOST_FILE_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not end what it is about.
    }
  }

  /** What a program printed to standard error, in any pieces. */
  addStderr(text: string): void {
    const lines = (this.#rest + text).split('\n');
    // Cut only once secrets are removed: half of one is none that can be found.
    this.#rest = (lines.pop() ?? '').slice(-REST_CHARS);
    for (const line of lines) this.#addStderrLine(line);
  }

  #addStderrLine(line: string): void {
    if (line.trim() === '') return;
    const second = Math.floor(this.#parts.clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond += 1;
    if (this.#inSecond < MOST_STDERR) this.add('stderr', line);
    else if (this.#inSecond === MOST_STDERR)
      this.add('stderr', '(more in this second is left out)');
  }

  /** The newest lines, oldest first. */
  lines(): ConnectorLogLine[] {
    const { file } = this.#parts;
    return [...readLines(`${file}.1`), ...readLines(file)].slice(-MOST_LINES);
  }

  delete(): void {
    const { file } = this.#parts;
    for (const one of [file, `${file}.1`]) rmSync(one, { force: true });
  }
}

function readLines(file: string): ConnectorLogLine[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // Nothing was logged yet.
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = safeParse(ConnectorLogLine, JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      // The last line may be cut.
      return [];
    }
  });
}
