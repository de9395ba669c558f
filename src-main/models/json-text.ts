import { parseOutsideJson } from '../base/outside-json.ts';

/** The value of `text`, or undefined if it is not JSON or nested too deeply. Safe for untrusted text. */
export function parseJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // The caller decides what invalid JSON means.
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
