import { AppError } from '#contract/errors.ts';
import type { MarkdownSkills } from '../shelf-types.ts';

const none = (): never => {
  throw new AppError('SKILL_UNKNOWN', 'There are no such skills here.');
};
export const noMarkdownSkills: MarkdownSkills = {
  source: 'markdown',
  list: () => [],
  load: none,
  refresh: none,
  describe: none,
  review: none,
  approve: none,
};
