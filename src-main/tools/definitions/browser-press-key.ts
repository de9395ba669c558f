import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import { keyActs } from '../browser-judgement.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Presses a key, in the focused element or in `ref`. Enter counts as sending or clicking. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_press_key',
    description: 'Press a key such as Enter or Control+A.',
    input: z.strictObject({
      key: z.string().min(1).max(40),
      ref: Ref.optional(),
      times: z.int().min(1).max(100).optional(),
    }),
    action: ({ key, ref, times = 1 }) => {
      // The second one would reach what the first one led to, which nobody has judged.
      if (times > 1 && keyActs(key)) {
        throw new AppError(
          'BAD_REQUEST',
          'Press Enter and Space once, and look at the page again.',
        );
      }
      return { kind: 'press_key', key, ...(times === 1 ? {} : { times }), ...defined({ ref }) };
    },
  });
}
