import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { CallResult } from '../tool-pipeline.ts';
import type { LookContext, ToolContext, ToolDefinition, ToolOutput } from '../types.ts';

/** Maximum bytes of one call of a script. */
const MAX_CALL_BYTES = 2 * 1024 * 1024;

const ScriptCall = z.object({
  tool: z.string().max(100),
  arguments: z.record(z.string(), z.unknown()),
});

/** Paths of the files that were there before the first attempt. */
const FilesBefore = z.array(z.string());

/** The tool behind each function of the `hyperagent` module. */
const TOOL_OF: ReadonlyMap<
  string,
  (given: Record<string, unknown>) => readonly [string, Record<string, unknown>]
> = new Map([
  ['run_command', (given) => ['shell_command', given]],
  ['read_file', (given) => ['sandbox_file', { ...given, operation: 'read' }]],
  ['write_file', (given) => ['sandbox_file', { ...given, operation: 'write' }]],
  ['list_files', (given) => ['sandbox_file', { ...given, operation: 'list' }]],
  ['browse', (given) => ['fetch_page', given]],
  ['web_search', (given) => ['web_search', given]],
]);

/**
 * Runs a Python script that may call back (CodeAct). Each of its calls is a tool call of its own, so
 * approvals, the ledger and the egress policy apply; its commands run in a second shell.
 */
export function tool({ commandTimeoutMs }: Pick<ToolParts, 'commandTimeoutMs'>): ToolDefinition {
  return defineTool({
    name: 'execute_script',
    description:
      'Run a Python script that does several steps at once. It may `import hyperagent` and call run_command(command), read_file(path, offset), write_file(path, content), list_files(path), browse(url), web_search(query).',
    input: z.strictObject({
      script: z.string().min(1),
      timeout_seconds: z.number().positive().optional(),
    }),
    question: () => 'Run this script?',
    risk: 'high',
    effect: 'opaque',
    restartsAfterParking: true,
    givesJson: true,
    // A script that parks is run again: what its first attempt made is its own, too.
    before: (_input, context) => filesOf(context),
    run: async ({ script, timeout_seconds }, context) => {
      const limit = commandTimeoutMs();
      const timeoutMs = Math.min(limit, (timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000);
      return await runScript({ script, timeoutMs }, context);
    },
  });
}

async function runScript(
  { script, timeoutMs }: { script: string; timeoutMs: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const before = new Set(context.taint.sources());
  // Calls of earlier versions stored nothing.
  const stored = safeParse(FilesBefore, context.before);
  const filesBefore = new Set(stored.success ? stored.data : await filesOf(context));
  const pending = new Set<Promise<void>>();
  // An error that pauses or ends the run inside a call ends the script, and is thrown instead of its result.
  let failure: { readonly cause: unknown } | null = null;
  using _calls = context.sandbox.takeCalls((stream) => {
    const serving = serveCall(stream, context, signal)
      .catch((cause: unknown) => {
        if (signal.aborted) return;
        failure = { cause };
        stop.abort(cause);
      })
      .finally(() => pending.delete(serving));
    pending.add(serving);
  });
  const finish = async (): Promise<void> => {
    stop.abort(new AppError('CANCELLED', 'The script has ended.'));
    await Promise.all(pending);
    if (failure !== null) throw (failure as { readonly cause: unknown }).cause;
  };
  try {
    const request = { language: 'python', code: script, timeoutMs } as const;
    const output = await runInSandbox(request, { ...context, signal });
    await finish();
    // Its calls have reported what changed until then: what is new is seen by comparing, not by the last change.
    const filesAfter = await filesOf(context);
    const created_files = filesAfter.filter((file) => !filesBefore.has(file)).sort();
    const data = { ...(output.data as object), created_files };
    const others = context.taint.sources().filter((source) => !before.has(source));
    return {
      ...output,
      content: JSON.stringify({ success: output.ok === true, ...data }),
      data,
      ...(others.length === 0 ? {} : { untrusted: others.join(', ') }),
    };
  } catch (error) {
    await finish();
    throw error;
  }
}

/** The files of the task, without the app's own. */
async function filesOf({ sandbox }: LookContext): Promise<string[]> {
  const { entries } = await sandbox.workspace.list('', { recursive: true });
  const files = entries.filter(
    ({ kind, path }) => kind === 'file' && !path.startsWith('.hyperagent/'),
  );
  return files.map(({ path }) => path);
}

/** Reads one call, makes it, writes its answer. Rejects with what the run itself must see. */
async function serveCall(stream: Duplex, context: ToolContext, signal: AbortSignal): Promise<void> {
  try {
    const text = await readAll(stream, signal);
    const parsed = text === null ? null : safeParse(ScriptCall, parseJson(text));
    const toTool = parsed?.success === true ? TOOL_OF.get(parsed.data.tool) : undefined;
    if (parsed?.success !== true || toTool === undefined) {
      answer(stream, { ok: false, content: 'The app does not know this call.' });
      return;
    }
    const [name, given] = toTool(parsed.data.arguments);
    answer(stream, toAnswer(await context.invoke({ name, arguments: given }, signal)));
  } catch (error) {
    stream.destroy();
    // This affects only the program itself.
    if (error instanceof HungUp) return;
    throw error;
  }
}

function toAnswer({ status, content, data }: CallResult): Record<string, unknown> {
  // A command that ended with another code than 0 is an answer, not a failure of the call.
  const ok = status === 'ok' || (status === 'error' && data !== undefined);
  return { ok, content, data };
}

function answer(stream: Duplex, value: Record<string, unknown>): void {
  stream.end(JSON.stringify(value));
}

/**
 * Reads a call; null where it is too long. Does not iterate over the stream, which would also close its writable
 * side. A child may outlive the script with half a call sent, so `signal` ends the read as well.
 */
function readAll(stream: Duplex, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onAbort = (): void => reject(new HungUp());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_CALL_BYTES) resolve(null);
      else chunks.push(chunk);
    });
    stream.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    stream.once('error', reject);
    stream.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      reject(new HungUp());
    });
  });
}

/** A call was incomplete when its program closed it, or when the script ended. */
class HungUp extends Error {}

function parseJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    // Not a call; the program gets an answer that says so.
    return null;
  }
}
