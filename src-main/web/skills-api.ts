import type { SkillDetail, SkillExecution, SkillSummary } from '#contract/skills.ts';
import type { AnyResult, RequestRouter } from '../transport/request-router.ts';
import {
  type ApiAnswer,
  type ApiTarget,
  failed,
  nothingAt,
  PROGRAM,
  problemOf,
  refused,
} from './api-answer.ts';

const FILTERS = ['category', 'search'];
const EXECUTION_FILTERS = ['skill_id', 'limit'];

/** Answers `GET /api/v1/skills`, with `category` and `search`, and `GET /api/v1/skills/{id}`; never a skill's source. */
export async function answerSkills(
  { path, query }: ApiTarget,
  router: RequestRouter,
): Promise<ApiAnswer> {
  if (path.length === 0) return await listSkills(query, router);
  const [skillId = ''] = path;
  if (path.length > 1 || skillId === '') return nothingAt('skills', path);
  const found = await detailOf(skillId, router);
  return found.ok ? { status: 200, body: detailJson(found.skill) } : refused(found.error);
}

/** Answers `GET /api/v1/executions`, with `skill_id` and `limit`, and `GET /api/v1/executions/{id}`. */
export async function answerExecutions(
  { path, query }: ApiTarget,
  router: RequestRouter,
): Promise<ApiAnswer> {
  const [executionId] = path;
  if (path.length > 1 || executionId === '') return nothingAt('executions', path);
  const params = new URLSearchParams(query);
  const wrong = problemOf(params, EXECUTION_FILTERS);
  if (wrong !== null) return failed('BAD_REQUEST', wrong);
  const skillId = params.get('skill_id');
  const limit = params.get('limit');
  const input = {
    ...(executionId === undefined ? {} : { executionId }),
    ...(skillId === null ? {} : { skillId }),
    ...(limit === null ? {} : { limit: /^\d{1,6}$/.test(limit) ? Number(limit) : Number.NaN }),
  };
  const result = await router.handle('skills.executions', input, PROGRAM);
  if (!result.ok) return refused(result.error);
  const { executions } = result.data as { executions: SkillExecution[] };
  const rows = executions.map(executionJson);
  if (executionId === undefined)
    return { status: 200, body: { executions: rows, count: rows.length } };
  return rows.length === 0
    ? failed('NOT_FOUND', `There is no execution ${executionId.slice(0, 200)}.`)
    : { status: 200, body: rows[0] };
}

function executionJson(execution: SkillExecution) {
  const { id, status, input, output, error, depth, events } = execution;
  return {
    id,
    skill_id: execution.skillId,
    run_id: execution.runId,
    task_id: execution.threadId,
    parent_id: execution.parentId,
    depth,
    status,
    input,
    output,
    error,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    events,
  };
}

async function listSkills(query: string, router: RequestRouter): Promise<ApiAnswer> {
  const params = new URLSearchParams(query);
  const wrong = problemOf(params, FILTERS);
  if (wrong !== null) return failed('BAD_REQUEST', wrong);
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
