import { parseOutsideJson } from '../base/outside-json.ts';

/** The value of `text`, or undefined where it is not JSON or nested too deeply. For texts from outside, which may be anything. */
export function parseJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // Not JSON is an answer too: the caller decides what it means.
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
