import type { BrowserAction } from './types.ts';

/** These neither send nor change: their hosts are where they look. */
export const LOOKS = [
  ...(['back', 'snapshot', 'find', 'hover', 'scroll', 'tabs', 'wait', 'screenshot'] as const),
] as const satisfies readonly BrowserAction['kind'][];

type Look = Extract<BrowserAction, { kind: (typeof LOOKS)[number] }>;

export function isLook(action: BrowserAction): action is Look {
  return (LOOKS as readonly string[]).includes(action.kind);
}
