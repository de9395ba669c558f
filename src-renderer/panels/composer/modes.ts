/** Modes of this version, in the order in which they are offered. The contract knows more. */
export const RUN_MODES = ['task', 'research', 'data'] as const;
export type ShownMode = (typeof RUN_MODES)[number];
