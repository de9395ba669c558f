import { AppError } from '#contract/errors.ts';
import type { Compose } from './ipc/types.ts';

/** Stands here so that the doors build while the rooms are being wired. */
export const compose: Compose = () =>
  Promise.reject(new AppError('INTERNAL', 'The rooms are not wired yet.'));
