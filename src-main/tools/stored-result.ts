import { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { SandboxLevel } from '#contract/vocabulary.ts';
import { PictureRef } from '../models/pictures/picture-ref.ts';
import type { CallResult } from './tool-pipeline.ts';
import type { ToolOutput } from './types.ts';

/** The result of a tool that threw, for the model. */
export function failureText(error: unknown): string {
  return `The tool failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** What a call gave, as the journal has it at the step of the call. */
export type StoredResult = Pick<CallResult, 'status' | 'content' | 'data' | 'ends' | 'pictures'>;
export const StoredResult: z.ZodType<StoredResult> = z.object({
  status: z.enum(['ok', 'error', 'denied', 'cancelled']),
  content: z.string(),
  data: z.unknown().exactOptional(),
  ends: z.literal(true).exactOptional(),
  pictures: z.array(PictureRef).exactOptional(),
});

/** What a tool gave, as it was stored before version 10 of the database. */
export const StoredOutput: z.ZodType<ToolOutput> = z.object({
  content: z.string(),
  ok: z.boolean().exactOptional(),
  sandboxLevel: SandboxLevel.exactOptional(),
  untrusted: z.string().exactOptional(),
  data: z.unknown().exactOptional(),
  // This app wrote them from checked drafts, and checks them again on output.
  events: z.array(z.custom<RunEventDraft>()).exactOptional(),
});

/** In place of a result: the call was parked halfway and has to be repeated. */
export const MADE_AGAIN = { again: true } as const;

export function isMadeAgain(stored: unknown): boolean {
  return typeof stored === 'object' && stored !== null && 'again' in stored;
}
