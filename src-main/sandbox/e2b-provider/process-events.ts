import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';

const Bytes = z.string().transform((text) => Buffer.from(text, 'base64'));

/** `process.StartResponse` in protobuf JSON, which leaves out zero and empty values. */
const StartResponse = z.object({
  event: z
    .object({
      start: z.object({ pid: z.number().int() }).nullish(),
      data: z.object({ stdout: Bytes.nullish(), stderr: Bytes.nullish() }).nullish(),
      end: z
        .object({
          exitCode: z.number().int().nullish(),
          exited: z.boolean().nullish(),
          status: z.string().nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

export type ProcessEvent =
  | { readonly type: 'start'; readonly pid: number }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }
  | { readonly type: 'end'; readonly exitCode: number };

/** Numbers of the signals that `EndEvent.status` names; a shell exits with 128 + n. */
const SIGNALS: Readonly<Record<string, number>> = {
  hangup: 1,
  interrupt: 2,
  quit: 3,
  'illegal instruction': 4,
  aborted: 6,
  killed: 9,
  'segmentation fault': 11,
  'broken pipe': 13,
  terminated: 15,
};

/** The event in a message of the stream; null for keep-alives and unknown messages. */
export function parseProcessEvent(message: unknown): ProcessEvent | null {
  const event = safeParse(StartResponse, message).data?.event;
  if (event === undefined || event === null) return null;
  const { start, data, end } = event;
  if (start) return { type: 'start', pid: start.pid };
  if (data?.stdout) return { type: 'output', stream: 'stdout', bytes: data.stdout };
  if (data?.stderr) return { type: 'output', stream: 'stderr', bytes: data.stderr };
  if (!end) return null;
  const signal = /^signal: ([a-z ]+)/.exec(end.status ?? '')?.[1]?.trim();
  const exitCode = signal === undefined ? (end.exitCode ?? 0) : 128 + (SIGNALS[signal] ?? 0);
  return { type: 'end', exitCode };
}
