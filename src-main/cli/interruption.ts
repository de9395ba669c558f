/** A single Ctrl+C can arrive twice: from the terminal, and from npm or a launcher. */
const SAME_PRESS_MS = 300;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndingSignal = keyof typeof EXIT_CODES;

/** Handles the signals that end a command: the first asks it to stop, a second exits at once. */
export class Interruption {
  readonly #stopping = new AbortController();
  #signalledAt = 0;
  #exitCode: number | null = null;
  readonly #listener = (signal: NodeJS.Signals): void => this.handleSignal(signal as EndingSignal);

  constructor() {
    for (const signal of Object.keys(EXIT_CODES)) process.on(signal, this.#listener);
  }

  /** Aborts when the command should stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** The exit code for the received signal; null before any signal. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  handleSignal(signal: EndingSignal): void {
    const now = performance.now();
    if (this.#exitCode !== null) {
      if (now - this.#signalledAt > SAME_PRESS_MS) process.exit(this.#exitCode);
      return;
    }
    this.#signalledAt = now;
    this.#exitCode = EXIT_CODES[signal];
    this.#stopping.abort();
  }

  dispose(): void {
    for (const signal of Object.keys(EXIT_CODES)) process.off(signal, this.#listener);
  }
}
