import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** What models cost: in the context meter of a task, and in the settings. */
export const modelUseStrings = inLanguage('modelUseStrings', {
  ofTask: 'This task',
  title: 'Model use',
  recent: 'Last 30 days',
  all: 'All time',
  hint: 'Of tasks that you have not deleted. Titles and summaries of conversations do not count.',
  nothing: 'Nothing yet.',
  tokens: (prompt: string, completion: string) => `${prompt} tokens in, ${completion} out`,
  requests: (count: number) => (count === 1 ? '1 request' : `${formatCount(count)} requests`),
  estimated: (count: number, requests: number) =>
    count === requests
      ? 'estimated: the server gives no counts'
      : `${formatCount(count)} of them estimated`,
});
