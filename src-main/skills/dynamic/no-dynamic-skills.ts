import { AppError } from '#contract/errors.ts';
import type { DynamicSkills, MarkdownSkills } from '../shelf-types.ts';

const none = (): never => {
  throw new AppError('SKILL_UNKNOWN', 'There are no such skills here.');
};
export const noDynamicSkills: DynamicSkills = {
  source: 'dynamic',
  list: () => [],
  load: none,
  check: none,
  save: none,
  describe: none,
  versions: none,
  review: none,
  approve: none,
  remove: none,
  exportFile: none,
  importFile: none,
  templates: none,
};
export const noMarkdownSkills: MarkdownSkills = {
  source: 'markdown',
  list: () => [],
  load: none,
  refresh: () => undefined,
  describe: none,
  review: none,
  approve: none,
};
