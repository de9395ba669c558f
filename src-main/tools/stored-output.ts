import { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { SandboxLevel } from '#contract/vocabulary.ts';
import type { ToolOutput } from './types.ts';

/** What the model reads of a tool that threw. */
export function failureText(error: unknown): string {
  return `The tool failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** A tool's output as the ledger stored it. */
export const StoredOutput: z.ZodType<ToolOutput> = z.object({
  content: z.string(),
  ok: z.boolean().exactOptional(),
  sandboxLevel: SandboxLevel.exactOptional(),
  untrusted: z.string().exactOptional(),
  data: z.unknown().exactOptional(),
  // Written by this app from checked drafts, and checked again where they leave it.
  events: z.array(z.custom<RunEventDraft>()).exactOptional(),
});

/** Stands in the ledger for a call that was parked in its middle, and is to be made again. */
export const MADE_AGAIN = { again: true } as const;

export function isMadeAgain(stored: unknown): boolean {
  return typeof stored === 'object' && stored !== null && 'again' in stored;
}
