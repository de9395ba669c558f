import type { RunEvent } from '#contract/events/run-event.ts';
import { jsonLine } from './output.ts';

/** Puts a run's events on standard output, in order. */
export interface Printer {
  print(event: RunEvent): void;
  /** Ends an open line. */
  finish(): void;
}

/** One event a line, and nothing else. */
export function jsonPrinter(write: (text: string) => void): Printer {
  return {
    print: (event) => write(jsonLine(event)),
    finish: () => undefined,
  };
}
