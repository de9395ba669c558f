import type { RunEvent } from '#contract/events/run-event.ts';
import { jsonLine } from './output.ts';

/** Prints a run's events, in order. */
export interface Printer {
  print(event: RunEvent): void;
  /** Ends an open line. */
  finish(): void;
}

/** One JSON event per line, and nothing else. */
export function jsonPrinter(write: (text: string) => void): Printer {
  return {
    print: (event) => write(jsonLine(event)),
    finish: () => undefined,
  };
}
