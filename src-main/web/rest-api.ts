import type { IncomingMessage } from 'node:http';
import type { RequestRouter } from '../transport/request-router.ts';
import { type ApiAnswer, type ApiTarget, failed } from './api-answer.ts';
import { answerQuestions } from './questions-api.ts';
import { answerExecutions, answerSkills } from './skills-api.ts';

const ROOT = '/api/';
const VERSION = `${ROOT}v1/`;
const COLLECTIONS = ['skills', 'executions', 'questions'];

export function isApiPath(path: string): boolean {
  return path.startsWith(ROOT);
}

/**
 * Answers a program that has the token, as JSON in the snake case of the seeds: skills and their executions,
 * read-only, and open questions, which it may answer (`POST`).
 */
export async function answerApi(
  request: IncomingMessage,
  { router, isAuthorized }: { readonly router: RequestRouter; readonly isAuthorized: boolean },
): Promise<ApiAnswer> {
  if (!isAuthorized) {
    const message = 'Send the token from the printed address as "Authorization: Bearer TOKEN".';
    return { ...failed('UNAUTHORIZED', message), headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  const [where = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const isPost = request.method === 'POST' && where.startsWith(`${VERSION}questions/`);
  if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') {
    const refused = failed('BAD_REQUEST', `${request.method} is not supported. Use GET.`);
    return { ...refused, status: 405, headers: { Allow: 'GET, HEAD' } };
  }
  const [collection = '', ...rest] = where.startsWith(VERSION)
    ? where.slice(VERSION.length).split('/')
    : [];
  if (!COLLECTIONS.includes(collection)) {
    const known = COLLECTIONS.map((name) => `${VERSION}${name}`).join(', ');
    return failed('NOT_FOUND', `There is nothing at ${where.slice(0, 200)}. Use ${known}.`);
  }
  const path = rest.map(decoded);
  if (!path.every((part) => part !== null)) {
    return failed('BAD_REQUEST', 'The id is not valid URL encoding.');
  }
  const target: ApiTarget = { path, query };
  switch (collection) {
    case 'skills':
      return await answerSkills(target, router);
    case 'executions':
      return await answerExecutions(target, router);
    default:
      return await answerQuestions(request, target, router);
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not valid URL encoding.
    return null;
  }
}
