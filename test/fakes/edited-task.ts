import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { fileRequests } from '#main/api/files.ts';
import { tool as sandboxFileTool } from '#main/tools/definitions/sandbox-file.ts';
import { type Conversation, openConversation } from './conversation.ts';
import { type DirectedReply, startDirectedModel } from './directed-model.ts';
import { recordingTool } from './fake-tools.ts';
import { inlineDocuments } from './inline-documents.ts';
import { noApps } from './no-apps.ts';
import { noPictures } from './no-pictures.ts';

/** Tasks whose files their users change, over the real executor, log, workspace, snapshots and file tool. */

const MODEL = { provider: 'ollama', name: 'x' } as const;
export const HEADING = 'Files changed after you last saw them.';

export type Step = DirectedReply | (() => DirectedReply | Promise<DirectedReply>);
export const file = (input: Record<string, unknown>): DirectedReply => ({
  calls: [{ name: 'sandbox_file', arguments: input }],
});
export const write = (path: string, content: string): DirectedReply =>
  file({ operation: 'write', path, content });
export const done: DirectedReply = { content: 'Done.' };

/** A task whose files its user changes, and what its model is sent. */
export async function openEditedTask() {
  const steps: Step[] = [];
  const model = await startDirectedModel(async () => {
    const step = steps.shift() ?? done;
    return typeof step === 'function' ? await step() : step;
  });
  onTestFinished(() => model[Symbol.asyncDispose]());
  let conversation: Conversation;
  const tool = sandboxFileTool({
    ...{ pictures: noPictures, documents: inlineDocuments },
    edits: {
      find: (threadId, paths) => conversation.edits.find(threadId, paths),
      seen: (edits, seenIn) => conversation.edits.seen(edits, seenIn),
    },
  });
  const note = recordingTool('note', []);
  conversation = await openConversation(model as never, {
    ...{ contextWindow: 8192, tools: [tool, note], withFiles: true },
  });
  const { edits, snapshots, slots, artifacts, workspaceDir } = conversation;
  let threadId = '';
  const dir = (path = ''): string => join(workspaceDir(threadId), path);
  const requests = fileRequests({
    ...{ snapshots, edits, slots, artifacts, broadcast: () => undefined },
    apps: { ...noApps, state: () => ({ server: 'stopped' }) as never },
    sandbox: {
      forTask: (id) => ({ workspace: conversation.workspaceOf(id) }) as never,
    },
    threads: { get: (id) => ({ id }) as never },
  });
  return {
    model,
    ...{ conversation, edits, snapshots },
    dir,
    /** What the model is sent last, as one text. */
    sent: (): string => JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content ?? ''),
    say: async (prompt: string, answers: readonly Step[], files: readonly string[] = []) => {
      steps.push(...answers);
      const { run, events } = await conversation.say(prompt, MODEL, files);
      threadId = run.threadId;
      return { run, events, results: resultsOf(events) };
    },
    put: (path: string, text: string): void => {
      mkdirSync(dirname(dir(path)), { recursive: true });
      writeFileSync(dir(path), text);
    },
    text: (path: string): string => readFileSync(dir(path), 'utf8'),
    /** Saves a file as the Files tab does. */
    save: async (path: string, text: string): Promise<void> => {
      const read = await Promise.resolve(requests['files.read']({ threadId, path })).catch(
        () => null,
      );
      await requests['files.write']({ threadId, path, text, was: read?.sha256 ?? null });
    },
    unseen: () =>
      edits.unseen(threadId).map(({ path, kind, source }) => `${kind} ${path} ${source}`),
    turnsOf: (prompt: string): string =>
      model.requests
        .at(-1)
        ?.messages.filter(({ role, content = '' }) => role === 'user' && content.startsWith(prompt))
        .at(-1)?.content ?? '',
  };
}

function resultsOf(events: readonly RunEvent[]): { ok: boolean; text: string }[] {
  return events.flatMap((event) =>
    event.type === 'tool_result' ? [{ ok: event.status === 'ok', text: event.content }] : [],
  );
}

/** A file in every snapshot that has it, newest first. */
export async function statesOf(
  path: string,
  snapshots: Conversation['snapshots'],
  threadId: string,
): Promise<string[]> {
  const withFiles = snapshots.list(threadId).filter(({ files }) => files > 0);
  const sides = withFiles.map(({ id: snapshotId }) =>
    snapshots.diff(path, { threadId, snapshotId, since: null }),
  );
  return (await Promise.all(sides)).flatMap(({ after }) =>
    after.kind === 'text' ? [after.text] : [],
  );
}
