import { defined } from '#contract/defined.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { CODE_RESULT_TAIL_CHARS } from '#contract/limits.ts';
import type { CodeLanguage } from '#contract/vocabulary.ts';
import { sha256 } from '../base/canonical-json.ts';
import { hostsNamedIn } from '../egress/named-hosts.ts';
import { networkReady } from '../sandbox/relay/network-ready.ts';
import type { CommandResult, CreditedChange, WorkspaceChange } from '../sandbox/types.ts';
import type { ToolContext, ToolOutput } from './types.ts';

export interface CommandRequest {
  readonly language: CodeLanguage;
  readonly code: string;
  readonly timeoutMs: number;
  readonly isolated?: boolean;
  /** In place of the code, where that is the app's own. */
  readonly shown?: string;
}

/** Changed files that are named to the model. */
const LISTED_CHANGES = 20;

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/**
 * Runs code in the task's sandbox: output streams as `terminal_…` events while it runs, changed
 * files follow as `workspace_update`, new pictures as `image`.
 */
export async function runInSandbox(
  request: CommandRequest,
  context: ToolContext,
): Promise<ToolOutput> {
  const { emit, signal, sandbox, toolCallId, egress, isApproved } = context;
  // Only what the user saw may name hosts: nobody looked at a program that its level let run.
  if (isApproved) egress.noteNamedByProgram(hostsNamedIn(request.code));
  const runtime = await sandbox.runtime({
    signal,
    onProgress: (line) =>
      emit({ type: 'stage', name: 'sandbox_start', status: 'running', description: line }),
  });
  const [watching] = await Promise.all([
    sandbox.workspace.watch(toolCallId),
    networkReady(runtime.network, signal),
  ]);
  using watch = watching;
  for (const change of watch.others) {
    emit({ type: 'workspace_update', origin: 'other', ...change });
  }
  // The same each time the call is made: events from before a crash are not repeated.
  const commandId = `cmd_${sha256(`${context.runId} ${toolCallId}`).slice(0, 24)}`;
  const { language, code, timeoutMs, isolated = false, shown = code } = request;
  emit({
    type: 'terminal_command',
    commandId,
    toolCallId,
    command: shown,
    language,
    cwd: '/workspace',
  });
  const result = await runtime.run(
    { commandId, language, code, timeoutMs, ...(isolated ? { isolated } : {}) },
    {
      signal,
      onOutput: ({ stream, offset, text }) => {
        const type = stream === 'stdout' ? 'terminal_output' : 'terminal_error';
        emit({ type, commandId, offset, text });
      },
    },
  );
  const { outcome, exitCode, durationMs } = result;
  emit({ type: 'terminal_complete', commandId, outcome, exitCode, durationMs });
  const changes = await watch.end();
  signal.throwIfAborted();
  return {
    content: describeResult(result, { changes, timeoutMs, callId: toolCallId }),
    ok: outcome === 'completed' && exitCode === 0,
    sandboxLevel: runtime.level,
    data: defined({
      exit_code: exitCode,
      stdout: result.stdout,
      stderr: result.stderr,
      created_files: changes.flatMap((one) => (one.operation === 'create' ? [one.path] : [])),
      outcome: outcome === 'completed' ? undefined : outcome,
    }),
    events: [
      codeResult(toolCallId, language, result),
      ...changeEvents(toolCallId, changes),
      ...imageEvents(
        toolCallId,
        changes.filter((change) => isToReport(toolCallId, change)),
      ),
    ],
  };
}

/** The events of the changes of a call that no other call has reported. */
export function changeEvents(callId: string, changes: readonly CreditedChange[]): RunEventDraft[] {
  return changes
    .filter((change) => isToReport(callId, change))
    .map(({ operation, path, size, by }) => ({
      ...{ type: 'workspace_update', origin: callId, operation, path, size },
      ...(by.length > 1 ? { among: [...by] } : {}),
    }));
}

/** A call within this one reports its own. */
function isToReport(callId: string, { by, isReported }: CreditedChange): boolean {
  return by.includes(callId) && !isReported;
}

function codeResult(
  toolCallId: string,
  language: CodeLanguage,
  result: CommandResult,
): RunEventDraft {
  const { outcome, exitCode, durationMs } = result;
  return {
    type: 'code_result',
    toolCallId,
    language,
    outcome,
    exitCode,
    durationMs,
    stdout: result.stdout.slice(-CODE_RESULT_TAIL_CHARS),
    stderr: result.stderr.slice(-CODE_RESULT_TAIL_CHARS),
  };
}

function imageEvents(toolCallId: string, changes: readonly WorkspaceChange[]): RunEventDraft[] {
  const images = changes.flatMap(({ operation, path, size }) => {
    const mimeType = IMAGE_TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''];
    return operation === 'delete' || mimeType === undefined ? [] : [{ path, size, mimeType }];
  });
  return images.map(({ path, size, mimeType }, index) => ({
    type: 'image',
    index,
    path,
    mimeType,
    bytes: size,
    alt: path,
    toolCallId,
  }));
}

/** The result as the model reads it: how it ended, what it printed, what it changed. */
function describeResult(
  result: CommandResult,
  {
    changes,
    timeoutMs,
    callId,
  }: {
    readonly changes: readonly CreditedChange[];
    readonly timeoutMs: number;
    readonly callId: string;
  },
): string {
  const parts = [describeEnd(result, timeoutMs)];
  if (result.stdout !== '') parts.push(`stdout:\n${result.stdout.trimEnd()}`);
  if (result.stderr !== '') parts.push(`stderr:\n${result.stderr.trimEnd()}`);
  if (result.stdout === '' && result.stderr === '') parts.push('It printed nothing.');
  const own = changes.filter(({ by }) => by.length === 1 || !by.includes(callId));
  const shared = changes.filter((change) => !own.includes(change));
  if (own.length > 0) parts.push(`files changed:\n${describeChanges(own)}`);
  if (shared.length > 0) {
    parts.push(
      `files changed by this or by calls that ran at the same time:\n${describeChanges(shared)}`,
    );
  }
  if (result.sessionLost) {
    parts.push(`${describeLoss(result)} Its variables are gone, files are kept.`);
  }
  return parts.join('\n');
}

function describeLoss({ backgroundEnd }: CommandResult): string {
  switch (backgroundEnd) {
    case 'out_of_memory':
      return 'Programs in the background were killed, and the shell with them: they used more memory than the sandbox has.';
    case 'out_of_disk':
      return 'Programs in the background were killed, and the shell with them: they took more of the disk than the sandbox may.';
    default:
      return 'The shell was started again, and what ran in the background has ended.';
  }
}

function describeEnd({ outcome, exitCode }: CommandResult, timeoutMs: number): string {
  switch (outcome) {
    case 'completed':
      return `exit code ${exitCode}`;
    case 'timed_out':
      return `Killed: it ran longer than ${timeoutMs / 1000} s.`;
    case 'out_of_disk':
      return 'Killed: it took more of the disk than the sandbox may. Delete what it wrote, and write less.';
    case 'out_of_memory':
      return 'Killed: it used more memory than the sandbox has. Work on smaller pieces.';
    case 'cancelled':
      return 'Killed: the user stopped it.';
    case 'sandbox_lost':
      return 'The sandbox was lost while it ran; the next call starts a new one.';
  }
}

function describeChanges(changes: readonly WorkspaceChange[]): string {
  const lines = changes
    .slice(0, LISTED_CHANGES)
    .map(({ operation, path, size }) =>
      operation === 'delete' ? `- ${path} (deleted)` : `- ${path} (${operation}, ${size} bytes)`,
    );
  const more = changes.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  return lines.join('\n');
}
