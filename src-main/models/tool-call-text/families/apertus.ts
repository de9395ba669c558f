import { type CallShape, callShapes } from '../grammar/call-shapes.ts';
import { isRecord } from '../tool-index.ts';

/** Apertus states a call as `{"NAME": {ARGUMENTS}}`. */
export function apertusShapes(value: unknown): CallShape[] | null {
  if (!isRecord(value)) return null;
  const stated = callShapes(value);
  if (stated !== null) return stated;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || !isRecord(entry[1])) return null;
  return [{ name: entry[0], args: entry[1] }];
}
