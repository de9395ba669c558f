/** Modes of this version, in the order in which they are offered. Others need skills that are not there yet. */
export const RUN_MODES = ['task', 'research'] as const;
export type ShownMode = (typeof RUN_MODES)[number];
