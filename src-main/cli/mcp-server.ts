import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Run } from '#contract/entities.ts';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import { RunMode } from '#contract/vocabulary.ts';
import { delay, raceAbort, withTimeLimit } from '../base/abort.ts';
import type { App } from '../compose/app.ts';
import { VERSION } from '../version.ts';
import { parseAnswer, toResponse } from './respond-option.ts';
import type { SharedApp } from './shared-app.ts';

/** The tool whose questions are about the task, and permit nothing. */
const ASK_USER = 'ask_user';

export interface McpServerOptions {
  /** Whether the caller may approve what the agent does; otherwise only the user does, in the app. */
  readonly mayApprove: boolean;
}

/** Below the 60 s after which most clients give up. */
const WAIT_SECONDS = 50;
const POLL_MS = 200;
const waitSeconds = z
  .number()
  .min(0)
  .max(3_600)
  .optional()
  .describe(`how long to wait for the end, in seconds; ${WAIT_SECONDS} by default`);

/** The app as an MCP server: tasks behind the same approvals as everywhere, and nothing that changes the settings. */
export function createMcpServer(apps: SharedApp, { mayApprove }: McpServerOptions): McpServer {
  const server = new McpServer({ name: 'hyperagent', version: VERSION });
  server.registerTool(
    'run_task',
    {
      description:
        'Gives a task to HyperAgent, an agent on this computer that plans, runs code in a sandbox, browses, and works with files. If it takes longer than wait_seconds, ask again with get_run.',
      inputSchema: z.strictObject({
        prompt: z.string().min(1),
        mode: RunMode.optional(),
        thread_id: z.string().optional().describe('continues this task'),
        wait_seconds: waitSeconds,
      }),
    },
    ({ prompt, mode, thread_id, wait_seconds }, { mcpReq: { signal } }) =>
      guarded(() =>
        apps.owning(async (app) => {
          const thread = thread_id === undefined ? {} : { threadId: thread_id };
          const options = mode === undefined ? {} : { mode };
          const start = { prompt, attachmentIds: [], options, ...thread };
          const { run } = await app.api['runs.start'](start);
          apps.keepFor(app, run.id);
          return await settled(app, run.id, { wait_seconds, signal });
        }),
      ),
  );
  server.registerTool(
    'get_run',
    {
      description: 'The state of a run: its answer, its error, or the questions that it waits for.',
      inputSchema: z.strictObject({ run_id: z.string(), wait_seconds: waitSeconds }),
      annotations: { readOnlyHint: true },
    },
    ({ run_id, wait_seconds }, { mcpReq: { signal } }) =>
      guarded(() => apps.reading((app) => settled(app, run_id, { wait_seconds, signal }))),
  );
  server.registerTool(
    'list_runs',
    {
      description: 'The newest runs, with the title and the id of their task.',
      inputSchema: z.strictObject({ limit: z.int().min(1).max(50).optional() }),
      annotations: { readOnlyHint: true },
    },
    ({ limit = 10 }) => guarded(() => apps.reading((app) => Promise.resolve(listRuns(app, limit)))),
  );
  server.registerTool(
    'answer_question',
    {
      description: `Answers a question of a run: confirm, skip, select:VALUE, input:TEXT, deny or deny:REASON${mayApprove ? ', approve' : '. What needs an approval is only denied here: the user approves it in the app'}.`,
      inputSchema: z.strictObject({
        run_id: z.string(),
        interrupt_id: z.string(),
        answer: z.string().min(1),
        wait_seconds: waitSeconds,
      }),
    },
    ({ run_id, interrupt_id, answer: text, wait_seconds }, { mcpReq: { signal } }) =>
      guarded(() =>
        apps.attached(async (app) => {
          respond(app, { runId: run_id, interruptId: interrupt_id, text, mayApprove });
          if (app.runs.isActive(run_id)) apps.keepFor(app, run_id);
          return await settled(app, run_id, { wait_seconds, signal });
        }),
      ),
  );
  server.registerTool(
    'cancel_run',
    {
      description: 'Stops a run. What it did is kept.',
      inputSchema: z.strictObject({ run_id: z.string() }),
    },
    ({ run_id }, { mcpReq: { signal } }) =>
      guarded(() =>
        apps.owning(async (app) => {
          app.api['runs.cancel']({ runId: app.runs.get(run_id).id });
          return await settled(app, run_id, { signal });
        }),
      ),
  );
  return server;
}

interface Waiting {
  readonly wait_seconds?: number | undefined;
  readonly signal: AbortSignal;
}

/** The run once it rests, or as it is after the wait, whichever process carries it out. */
async function settled(
  app: App,
  runId: string,
  { wait_seconds = WAIT_SECONDS, signal }: Waiting,
): Promise<Answer> {
  const limit = withTimeLimit(signal, wait_seconds * 1000);
  const moving = (): boolean => ['queued', 'running'].includes(app.runs.get(runId).status);
  try {
    if (app.runs.isActive(runId)) await raceAbort(app.runs.settled(runId), limit);
    while (moving()) await delay(POLL_MS, limit);
  } catch (error) {
    if (!limit.aborted) throw error;
  }
  return answer(describeRun(app, app.runs.get(runId)));
}

interface GivenAnswer {
  readonly runId: string;
  readonly interruptId: string;
  readonly text: string;
  readonly mayApprove: boolean;
}

/** Throws `NOT_FOUND`, `BAD_REQUEST`, and `UNAUTHORIZED` for what only the user may agree to. */
function respond(app: App, { runId, interruptId, text, mayApprove }: GivenAnswer): void {
  app.runs.get(runId);
  const question = openQuestions(app, runId).find((open) => open.interruptId === interruptId);
  if (question === undefined) {
    throw new AppError('NOT_FOUND', `${runId} has no open question ${interruptId}.`);
  }
  const response = toResponse(parseAnswer(`${interruptId}=${text}`), question, app.api);
  if (!mayApprove && response.action !== 'deny' && question.toolName !== ASK_USER) {
    throw new AppError(
      'UNAUTHORIZED',
      'Only the user agrees to this, in the app or with hyperagent resume. They can also start this server with --allow-approvals.',
    );
  }
  app.api['runs.respond']({ runId, interruptId, response });
}

function listRuns(app: App, limit: number): Answer {
  const titles = new Map(app.api['threads.list']({}).threads.map(({ id, title }) => [id, title]));
  const runs = app.runs.list().slice(0, limit);
  return answer({
    runs: runs.map(({ id, threadId, status, createdAt }) => ({
      ...{ run_id: id, thread_id: threadId, status },
      title: titles.get(threadId) ?? '',
      created_at: new Date(createdAt).toISOString(),
    })),
  });
}

function openQuestions({ api }: App, runId: string): readonly WaitingQuestion[] {
  return api['runs.waiting']().questions.filter((question) => question.runId === runId);
}

function describeRun(app: App, run: Run) {
  const { id, threadId, status, lastSeq } = run;
  const events = app.runs.events(id, Math.max(0, lastSeq - 50), 50);
  const last = events.findLast(({ type }) => type === 'complete' || type === 'error');
  const questions = openQuestions(app, id).map(
    ({ interruptId, kind, title, message, reasons, options, toolName, argumentsText }) => ({
      ...{ interrupt_id: interruptId, kind, title, message, reasons },
      options: options.map(({ value }) => value),
      ...(toolName === undefined ? {} : { tool: toolName, arguments: argumentsText ?? '' }),
    }),
  );
  return {
    ...{ run_id: id, thread_id: threadId, status },
    ...(last?.type === 'complete' ? { answer: last.answer } : {}),
    ...(last?.type === 'error' ? { error: { code: last.code, message: last.message } } : {}),
    ...(questions.length === 0 ? {} : { questions }),
  };
}

function answer(value: object) {
  const content = [{ type: 'text' as const, text: JSON.stringify(value, null, 2) }];
  return { content, structuredContent: { ...value } };
}

type Answer = ReturnType<typeof answer>;

/** Failures as the protocol wants them: an answer that is an error, with a code. */
async function guarded(work: () => Promise<Answer>): Promise<Answer & { isError?: boolean }> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = toErrorEnvelope(error);
    return { ...answer({ code, message }), isError: true };
  }
}
