import type { IncomingMessage } from 'node:http';
import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';
import type { SkillDetail, SkillSummary } from '#contract/skills.ts';
import type { Subscriber } from '../api/types.ts';
import type { AnyResult, RequestRouter } from '../transport/request-router.ts';

/** A JSON response of the API. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ROOT = '/api/';
const SKILLS = '/api/v1/skills';
const FILTERS = ['category', 'search'];

/** A program: it sends requests and receives no pushes. */
const PROGRAM: Subscriber = {
  closed: new AbortController().signal,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
};

export function isApiPath(path: string): boolean {
  return path.startsWith(ROOT);
}

/**
 * The skills as JSON, in the snake case of the seeds, for programs that have the token:
 * `GET /api/v1/skills`, with `category` and `search`, and `GET /api/v1/skills/{id}`. Read-only, and never
 * shows a skill's source.
 */
export async function answerApi(
  request: IncomingMessage,
  { router, isAuthorized }: { readonly router: RequestRouter; readonly isAuthorized: boolean },
): Promise<ApiAnswer> {
  if (!isAuthorized) {
    const message = 'Send the token from the printed address as "Authorization: Bearer TOKEN".';
    return { ...failed('UNAUTHORIZED', message), headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const refused = failed('BAD_REQUEST', `${request.method} is not supported. Use GET.`);
    return { ...refused, status: 405, headers: { Allow: 'GET, HEAD' } };
  }
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  if (path === SKILLS) return await listSkills(query, router);
  const name = path.startsWith(`${SKILLS}/`) ? path.slice(SKILLS.length + 1) : '';
  if (name === '' || name.includes('/')) {
    return failed('NOT_FOUND', `There is nothing at ${path.slice(0, 200)}. Use ${SKILLS}.`);
  }
  const skillId = decoded(name);
  if (skillId === null) return failed('BAD_REQUEST', 'The skill id is not valid URL encoding.');
  const found = await detailOf(skillId, router);
  return found.ok ? { status: 200, body: detailJson(found.skill) } : refused(found.error);
}

async function listSkills(query: string, router: RequestRouter): Promise<ApiAnswer> {
  const params = new URLSearchParams(query);
  for (const name of params.keys()) {
    if (!FILTERS.includes(name)) {
      return failed(
        'BAD_REQUEST',
        `Unknown filter ${name.slice(0, 100)}. Use ${FILTERS.join(' or ')}.`,
      );
    }
    if (params.getAll(name).length > 1)
      return failed('BAD_REQUEST', `The filter ${name} is given twice.`);
  }
  const listed = await router.handle('skills.list', Object.fromEntries(params), PROGRAM);
  if (!listed.ok) return refused(listed.error);
  const { skills } = listed.data as { skills: SkillSummary[] };
  const rows: unknown[] = [];
  for (const summary of skills) {
    // Markdown skills declare no parameters; a list does not open their files.
    const found = summary.source === 'markdown' ? null : await detailOf(summary.id, router);
    // Removed since the list was read.
    if (found?.ok === false && found.error.code === 'SKILL_UNKNOWN') continue;
    if (found?.ok === false) return refused(found.error);
    rows.push(summaryJson(summary, found?.skill.metadata ?? null));
  }
  return {
    status: 200,
    body: { skills: rows, count: rows.length, category: params.get('category') },
  };
}

async function detailOf(
  skillId: string,
  router: RequestRouter,
): Promise<{ ok: true; skill: SkillDetail } | Extract<AnyResult, { ok: false }>> {
  const result = await router.handle('skills.get', { skillId }, PROGRAM);
  return result.ok ? { ok: true, ...(result.data as { skill: SkillDetail }) } : result;
}

/** `enabled` says whether the skill can be used now; `state` says why not. */
function summaryJson(summary: SkillSummary, metadata: SkillDetail['metadata']) {
  const { id, name, version, description, category, author, tags, source, state } = summary;
  return {
    id,
    name,
    version,
    description,
    category,
    author,
    tags,
    risk_level: summary.risk,
    enabled: state === 'ready',
    source,
    state,
    invocation_count: summary.invocationCount,
    last_invoked_at: summary.lastInvokedAt,
    parameters: metadata?.parameters ?? [],
    required_tools: metadata?.requiredTools ?? [],
  };
}

function detailJson({ summary, metadata, code }: SkillDetail) {
  return {
    ...summaryJson(summary, metadata),
    output_schema: metadata?.outputSchema ?? {},
    module_path: summary.folder ?? '',
    source_code_hash: code?.sha256 ?? null,
    is_builtin: summary.source === 'builtin',
  };
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not valid URL encoding.
    return null;
  }
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  SKILL_UNKNOWN: 404,
};

function refused(error: ErrorEnvelope): ApiAnswer {
  return { status: STATUS[error.code] ?? 500, body: { error } };
}

function failed(code: ErrorCode, message: string): ApiAnswer {
  return refused({ code, message, details: {} });
}
