import type { RawData } from 'ws';
import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../base/outside-json.ts';

/** A request from a window. Its answer carries the same id. */
const RequestFrame = z.strictObject({
  id: z.union([z.int().nonnegative(), z.string().min(1).max(100)]),
  name: z.string().max(100),
  input: z.unknown(),
  /** For a request that does something: by it, main recognises one that is sent again. */
  key: z
    .strictObject({
      /** Of the page: a reload is another one. */
      session: z.string().min(16).max(64),
      /** Counts the keys of a session, from 1. */
      number: z.int().positive(),
      /** Sent before, and nobody knows whether it arrived. */
      again: z.boolean(),
    })
    .optional(),
});
export type RequestFrame = z.infer<typeof RequestFrame>;

export type ParsedFrame =
  | { readonly ok: true; readonly frame: RequestFrame }
  /** `id` is null if the frame has no readable id. */
  | { readonly ok: false; readonly id: RequestFrame['id'] | null; readonly problem: string };

/** Reads one message of the socket. Never throws. */
export function parseFrame(data: RawData, isBinary: boolean): ParsedFrame {
  if (isBinary) return { ok: false, id: null, problem: 'Frames must be text.' };
  let value: unknown;
  try {
    value = parseOutsideJson(String(data));
  } catch {
    // The parser's message would only repeat the input.
    return { ok: false, id: null, problem: 'The frame is not JSON, or it is nested too deeply.' };
  }
  const parsed = safeParse(RequestFrame, value);
  if (parsed.success) return { ok: true, frame: parsed.data };
  const id = safeParse(RequestFrame.shape.id, (value as { id?: unknown } | null)?.id);
  return {
    ok: false,
    id: id.success ? id.data : null,
    problem: 'A frame must be {id, name, input, key?} and nothing else.',
  };
}
