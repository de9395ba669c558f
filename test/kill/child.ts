import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InterruptResponse, WaitingQuestion } from '#contract/events/hitl.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { compose } from '#main/compose.ts';
import { watchBoundaries } from './boundaries.ts';
import { markOf } from './scenario.ts';

/**
 * One life of the app: starts or resumes the run of the scenario, answers for the user, and prints how it
 * ended, unless it is killed.
 *
 *   node test/kill/child.ts DATA_DIR MODEL_URL start|resume KILL_AT TURN [NAMES_FILE]
 *
 * TURN is the prompt, the options and the attached files of the run, as JSON.
 */
const [dataDir = '', baseUrl = '', mode = '', killAt = '0', turn = '{}', namesFile] =
  process.argv.slice(2);
const {
  prompt,
  options,
  files = {},
  marks,
  effectsUrl,
} = JSON.parse(turn) as {
  readonly prompt: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly marks: readonly string[];
  readonly effectsUrl?: string;
};
const boundaries = watchBoundaries(Number(killAt), namesFile ?? null);

const app = await compose({
  ...{ dataDir, entryPoint: 'terminal', attended: true, readOnly: false, seal: null },
  modelOverrides: { baseUrl },
});
const { api, runs } = app;

/** The lines that programs have written to a file, or a site counted, as evidence of their effects. */
async function effects(threadId: string): Promise<string> {
  if (effectsUrl !== undefined) return await (await fetch(effectsUrl)).text();
  try {
    return readFileSync(join(dataDir, 'workspaces', threadId, 'effects.log'), 'utf8');
  } catch {
    return '';
  }
}

async function answerTo(question: WaitingQuestion): Promise<InterruptResponse> {
  if (question.kind === 'approval') {
    const { argumentsSha256 = '' } = question;
    return { action: 'approve', argumentsSha256, always: false };
  }
  if (question.kind === 'checkpoint') return { action: 'confirm' };
  if (question.kind === 'input') return { action: 'input', text: 'Yes.' };
  const mark = markOf(question.argumentsText, marks) ?? '';
  const happened = (await effects(question.threadId)).split('\n').includes(mark);
  return { action: 'select', value: happened ? 'happened' : 'not_happened' };
}

let runId: string;
const attachmentIds: string[] = [];
for (const [name, data] of mode === 'start' ? Object.entries(files) : []) {
  attachmentIds.push((await api['attachments.add']({ name, data })).attachmentId);
}
boundaries.arm();
if (mode === 'start') {
  const started = await api['runs.start']({
    prompt,
    attachmentIds,
    options: {
      model: { provider: 'ollama', name: 'x' },
      sandbox: 'os',
      approve: 'ask',
      ...options,
    },
  });
  runId = started.run.id;
} else {
  const unfinished = runs.list().find(({ endedAt }) => endedAt === null);
  if (unfinished === undefined) {
    // Killed before there was a run, or after it had its end.
    runId = runs.list()[0]?.id ?? '';
  } else {
    runId = unfinished.id;
    if (!runs.isActive(runId)) api['runs.resume']({ runId });
  }
}
if (runId !== '') {
  const answered = new Set<string>();
  const answer = async (question: WaitingQuestion): Promise<void> => {
    const { runId, interruptId } = question;
    if (answered.has(interruptId)) return;
    answered.add(interruptId);
    const response = await answerTo(question);
    boundaries.at('before an answer');
    api['runs.respond']({ runId, interruptId, response });
    boundaries.at('after an answer');
  };
  const poll = setInterval(() => api['runs.waiting']().questions.forEach(answer), 5);
  for (;;) {
    const run = await runs.settled(runId);
    if (run.endedAt !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  clearInterval(poll);
}
const all: RunEvent[] = [];
for (let seq = 0; runId !== ''; ) {
  const page = runs.events(runId, seq, 500);
  all.push(...page);
  seq = page.at(-1)?.seq ?? 0;
  if (page.length < 500) break;
}
const threadId = runId === '' ? '' : runs.get(runId).threadId;
const result = {
  run: runId === '' ? null : runs.get(runId),
  events: all,
  messages:
    threadId === '' ? [] : api['threads.get']({ threadId }).messages.map(({ content }) => content),
  effects: await effects(threadId),
  boundaries: boundaries.count(),
};
await app[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify(result));
