import { defaultClientConditions } from 'vite';

/**
 * How modules of the window are resolved. Some have a variant for workers, which have no document. The
 * window and its worker share their modules, so both use that variant.
 */
export const WINDOW_RESOLVE = { conditions: ['worker', ...defaultClientConditions] };

/** Every font and picture is a file of its own: the window's policy loads fonts from its own address alone. */
export const WINDOW_ASSETS = { assetsInlineLimit: 0 };
