import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { OfficeCheck } from '#contract/slides.ts';
import type { StepPath } from '../../base/step-path.ts';
import { isGoingOnLater } from '../../hitl/types.ts';
import type { SkillRegistry } from '../../skills/skill-registry.ts';
import type { SkillHost, SkillResult, ToolAnswer, WorkClock } from '../../skills/types.ts';
import { LimitedWorkClock } from '../../skills/work-clock.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { passesThrough } from '../fatal-codes.ts';
import { changeEvents } from '../run-command.ts';
import type { ToolContext, ToolDefinition, ToolOutput } from '../types.ts';

/** Maximum bytes of a file that a skill reads. */
const READ_BYTES = 8 * 1024 * 1024;
/** Characters of the names of skills, which are in each request. */
const NAMES_CHARS = 400;
/** Characters of a result that the model reads. */
const RESULT_CHARS = 24_000;
/** Tools that only read, and so may run in parallel. */
const READS: ReadonlySet<string> = new Set(['web_search', 'fetch_page']);

const InvokeSkill = z.strictObject({
  skill_id: z.string().min(1).max(100),
  params: z.record(z.string(), z.json()).optional(),
});

/**
 * The bridge from tools to skills. An invocation that is repeated after a crash continues the same execution:
 * it gets the recorded results, and only the rest is done.
 */
export function tool({
  skills,
  toolNames,
  pageTimeoutMs,
  images,
  slides,
  edits,
}: Pick<
  ToolParts,
  'skills' | 'toolNames' | 'pageTimeoutMs' | 'images' | 'slides' | 'edits'
>): ToolDefinition {
  const { registry, executor } = skills;
  return defineTool({
    name: 'invoke_skill',
    description: 'Let a skill do a whole job; list_skills lists the skills and their parameters.',
    listed: () => namesOf(registry),
    input: InvokeSkill,
    question: () => 'Run this skill?',
    risk: ({ skill_id }) => registry.risk(skill_id),
    effect: 'idempotent',
    isJob: true,
    restartsAfterParking: true,
    isIndependent: ({ skill_id }) => registry.isIndependent(skill_id),
    maxResultChars: RESULT_CHARS,
    givesJson: true,
    // Any job of the same skill; risky calls within it need their own approval.
    widerPattern: ({ skill_id }) => `{"params":*,"skill_id":${JSON.stringify(skill_id)}}`,
    notice: ({ skill_id }) => noticeOf(registry, skill_id),
    run: async ({ skill_id, params = {} }, context) => {
      const before = new Set(context.taint.sources());
      const result = await executor.execute({
        skillId: skill_id,
        params,
        host: hostOf(context, {
          toolNames: toolNames(),
          pageTimeoutMs: pageTimeoutMs(),
          ...{ images, slides, edits },
        }),
        executionId: executionIdOf(context),
      });
      const others = context.taint.sources().filter((source) => !before.has(source));
      return toOutput(registry.resolve(skill_id), result, {
        toolCallId: context.toolCallId,
        untrusted: others,
      });
    },
  });
}

/** Names of the skills that may be invoked now; list_skills has those that do not fit. */
function namesOf(registry: SkillRegistry): string {
  const ids = registry.ready().flatMap(({ id, source }) => (source === 'markdown' ? [] : [id]));
  if (ids.length === 0) return '';
  let names = '';
  for (const id of ids) {
    if (names.length + id.length > NAMES_CHARS) return `${names} and others.`;
    names += names === '' ? `There are: ${id}` : `, ${id}`;
  }
  return `${names}.`;
}

/** The same each time the call is made; nested executions append a dot and a number. */
function executionIdOf({ runId, toolCallId }: ToolContext): string {
  const call = toolCallId.replaceAll('%', '%25').replaceAll('.', '%2E').replaceAll('~', '%7E');
  return `${runId}~${call}`;
}

function noticeOf(registry: SkillRegistry, name: string): string {
  const skill = registry.find(name);
  if (skill === null) return 'There is no such skill; the call will fail.';
  const uses = skill.metadata?.capabilities ?? [];
  const tools = skill.metadata?.requiredTools ?? [];
  const what = [...uses, ...tools].join(', ');
  return `${skill.name}: ${skill.description} It may use ${what === '' ? 'nothing of the app' : what}; you are asked about each program that it runs.`;
}

function toOutput(
  skillId: string,
  result: SkillResult,
  { toolCallId, untrusted }: { readonly toolCallId: string; readonly untrusted: readonly string[] },
): ToolOutput {
  const from = untrusted.length === 0 ? {} : { untrusted: untrusted.join(', ') };
  if (!result.ok) {
    const { code, message, expectedParameters } = result.error;
    const answer = {
      skill_id: skillId,
      success: false,
      error: message,
      error_code: code,
      ...(expectedParameters === undefined ? {} : { expected_parameters: expectedParameters }),
    };
    return { content: JSON.stringify(answer, null, 2), ok: false, data: answer, ...from };
  }
  const { output, executionId } = result;
  const answer = { skill_id: skillId, output, success: true };
  const event: RunEventDraft = {
    type: 'skill_output',
    skillId,
    executionId,
    toolCallId,
    output: { ...output },
    ...(typeof output.preview_url === 'string' ? { previewUrl: output.preview_url } : {}),
    ...(typeof output.download_url === 'string' ? { downloadUrl: output.download_url } : {}),
  };
  return { content: JSON.stringify(answer, null, 2), data: answer, events: [event], ...from };
}

interface HostParts extends Pick<ToolParts, 'images' | 'slides' | 'edits'> {
  readonly toolNames: ReadonlySet<string>;
  readonly pageTimeoutMs: number;
}

function hostOf(
  context: ToolContext,
  { toolNames, pageTimeoutMs, images, slides, edits }: HostParts,
): SkillHost {
  const { skillAgents } = context;
  const agents = (): NonNullable<typeof skillAgents> => {
    if (skillAgents !== null) return skillAgents;
    throw new AppError('SKILL_FAILED', 'There are no models for skills here.');
  };
  return {
    ...context,
    toolNames,
    model: (tier) => agents().model(tier),
    onReply: (reply, model) => agents().onReply(reply, model),
    call: (call, step, options) =>
      call.name === 'fetch_page'
        ? withinLimit(pageTimeoutMs, options, (limited) =>
            callTool(call, step, { ...limited, context }),
          )
        : callTool(call, step, { ...options, context }),
    approveChild: async ({ skillId, params }, step, { signal, clock }) => {
      const call = { name: 'invoke_skill', arguments: { skill_id: skillId, params } };
      const broker = waitingBroker(context, clock);
      const allowed = InvokeSkill.parse(await context.clear(call, signal, { step, broker }));
      return { skillId: allowed.skill_id, params: allowed.params ?? {} };
    },
    files: filesOf(context, edits),
    slides: { checkInOffice: (path, signal) => checkInOffice(path, { slides, context, signal }) },
    images: { place: (signal) => images.place(signal) },
    agents: {
      firstSource: (step) => agents().firstSource(step),
      loop: (request, options) => agents().loop(request, options),
      research: (request, options) => agents().research(request, options),
    },
    passesThrough: (error) => isGoingOnLater(error) || passesThrough(error),
  };
}

type CallOptions = Parameters<SkillHost['call']>[2];

/** The result of `call` within this time limit; a call over the limit counts as failed. */
async function withinLimit(
  limitMs: number,
  { signal, clock }: CallOptions,
  call: (options: CallOptions) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const stop = new AbortController();
  using limit = new LimitedWorkClock(limitMs, () => stop.abort());
  const both: WorkClock = { waitFor: (answer) => limit.waitFor(() => clock.waitFor(answer)) };
  try {
    return await call({ signal: AbortSignal.any([signal, stop.signal]), clock: both });
  } catch (error) {
    if (signal.aborted || !stop.signal.aborted || isGoingOnLater(error)) throw error;
    const content = `It took longer than ${limitMs / 1000} s.`;
    return { ok: false, status: 'error', content, data: null };
  }
}

async function callTool(
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  step: StepPath,
  {
    signal,
    clock,
    context,
  }: { readonly signal: AbortSignal; readonly clock: WorkClock; readonly context: ToolContext },
): Promise<ToolAnswer> {
  const broker = waitingBroker(context, clock);
  const isParallel = READS.has(call.name);
  const result = await context.invoke(call, signal, { step, broker, isParallel });
  const { status, content, data } = result;
  return { ok: status === 'ok', status, content, data: data ?? null };
}

/** What hinders it is no failure of the presentation: it was made. */
async function checkInOffice(
  path: string,
  parts: {
    readonly slides: ToolParts['slides'];
    readonly context: ToolContext;
    readonly signal: AbortSignal;
  },
): Promise<OfficeCheck> {
  const { slides, signal } = parts;
  const { sandbox, threadId } = parts.context;
  const file = { threadId, path: inside(path), files: sandbox.workspace.withoutLinks() };
  try {
    return await slides.checkInOffice(file, sandbox, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError) || passesThrough(error)) throw error;
    const isMissing = error.code === 'SANDBOX_UNAVAILABLE';
    return { state: 'not_checked', why: isMissing ? 'no sandbox is ready' : error.message };
  }
}

/** The broker of the run, which stops the clock of the skill while the user is asked. */
function waitingBroker({ broker }: ToolContext, clock: WorkClock): ToolContext['broker'] {
  return {
    ask: (question, run) => clock.waitFor(() => broker.ask(question, run)),
    hasAsked: (subject, runId) => broker.hasAsked(subject, runId),
    note: (question, answer, run) => broker.note(question, answer, run),
    respond: (runId, interruptId, response) => broker.respond(runId, interruptId, response),
  };
}

function filesOf(
  { sandbox, emit, threadId, toolCallId }: ToolContext,
  edits: ToolParts['edits'],
): SkillHost['files'] {
  const { workspace } = sandbox;
  const readBytes = async (path: string): Promise<Buffer> => {
    const unseen = edits.find(threadId, [inside(path)]);
    const { data, size } = await workspace.read(inside(path), READ_BYTES);
    if (size > READ_BYTES) {
      throw new AppError('FILE_TOO_LARGE', `${path} is over ${READ_BYTES} bytes.`);
    }
    edits.seen(unseen, null);
    return data;
  };
  return {
    readBytes,
    readFile: async (path) => (await readBytes(path)).toString('utf8'),
    writeFile: (path, content) =>
      workspace.exclusively(async () => {
        using watch = await workspace.watch(toolCallId, [inside(path)]);
        const data = typeof content === 'string' ? content : Buffer.from(content);
        await workspace.write(inside(path), data);
        for (const event of changeEvents(toolCallId, await watch.end())) emit(event);
      }),
    listFiles: async (folder = '.') => {
      const { entries } = await workspace.list(inside(folder), { recursive: true });
      return entries
        .filter(({ kind, path }) => kind === 'file' && !path.startsWith('.hyperagent/'))
        .map(({ path, size }) => ({ path, size }));
    },
  };
}

/** Skills name files by their path in the sandbox, or relative to the workspace. */
function inside(path: string): string {
  const relative = path.replace(/^\/workspace(?:\/+|$)/, '');
  return relative === '' ? '.' : relative;
}
