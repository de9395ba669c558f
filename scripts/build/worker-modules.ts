import { defaultClientConditions } from 'vite';

/**
 * How modules of the window are found. Some have a variant for workers, without a document; the window and
 * its worker share their modules, so both take it.
 */
export const WINDOW_RESOLVE = { conditions: ['worker', ...defaultClientConditions] };
