import type { Run, Settings, Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { InterruptResponse, WaitingQuestion } from '#contract/events/hitl.ts';
import { RUN_FILE_LIMIT_CHARS } from '#contract/limits.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import type { RunSkill } from '#contract/skills.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { ReviewedArguments } from '../hitl/answer-checks.ts';
import { questionFields } from '../hitl/question-fields.ts';
import type { InterruptBroker, Question } from '../hitl/types.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import type { InterruptStore, StoredInterrupt, TaintStore } from '../storage/types.ts';
import { copyTaskBefore, type ForkParts, forkRun } from './fork-run.ts';
import { runFileText } from './run-export.ts';
import { completeRunOptions, optionsOfImport } from './run-options.ts';
import type { RunService } from './run-service.ts';

export interface RunApiParts extends ForkParts {
  readonly runs: RunService;
  readonly broker: Pick<InterruptBroker, 'respond'>;
  readonly interrupts: InterruptStore<Question>;
  readonly attachments: Pick<AttachmentStore, 'find' | 'remove'>;
  readonly taints: TaintStore;
  readonly settings: () => Settings;
  readonly review: (toolName: string, argumentsText: string) => ReviewedArguments;
  readonly clock: Clock;
  /** Removed from exports and imports. */
  readonly secrets?: KnownSecrets;
  readonly checkSkill: (skill: RunSkill) => RunSkill;
  /** Another process works on the runs; this one only answers questions. */
  readonly isSecondary: boolean;
  /** Called with a task that was created without a turn. */
  readonly onNewTask: (thread: Thread) => void;
}

/** The API for runs that windows and the CLI use, over the run service and the stores. */
export function createRunApi(parts: RunApiParts) {
  const { runs, broker, interrupts, attachments, settings, stores, clock } = parts;

  function questionOf(runId: string, interruptId: string): StoredInterrupt<Question> {
    const found = interrupts.get(interruptId);
    if (found !== null && found.runId === runId) return found;
    throw new AppError('NOT_FOUND', `This run has no question "${interruptId}".`);
  }

  const known = parts.secrets === undefined ? {} : { secrets: parts.secrets };

  return {
    start: async ({
      threadId,
      prompt,
      attachmentIds,
      options: asked,
    }: RequestInput<'runs.start'>): Promise<RequestOutput<'runs.start'>> => {
      const started = await runs.start({
        ...(threadId === undefined ? {} : { threadId }),
        prompt,
        attachments: attachments.find(attachmentIds),
        options: completeRunOptions(asked, {
          settings: settings(),
          checkSkill: parts.checkSkill,
        }),
      });
      await attachments.remove(attachmentIds);
      return started;
    },
    cancel: (runId: string): void => runs.cancel(runId),
    pause: (runId: string): void => runs.pause(runId),
    resume: (runId: string): Run => runs.resume(runId),
    retry: (runId: string): Run => runs.retry(runId),
    fork: async (runId: string, seq: number): Promise<{ run: Run; thread: Thread }> => {
      const forked = await forkRun({ runId, seq }, parts);
      parts.onNewTask(forked.thread);
      return forked;
    },
    edit: async (runId: string, prompt: string): Promise<{ run: Run; thread: Thread }> => {
      const { options } = runs.get(runId);
      const turn = stores.messages.listOfRun(runId).find(({ role }) => role === 'user');
      const { thread, files } = await copyTaskBefore(runId, parts);
      parts.onNewTask(thread);
      return runs.start({
        threadId: thread.id,
        prompt,
        attachments: [],
        kept: turn?.attachments ?? [],
        options,
        origin: { kind: 'edit', runId, seq: null, messages: 0, files },
      });
    },
    /** The answer counts whether or not the run is active; if it is not, it continues now. */
    respond: (runId: string, interruptId: string, response: InterruptResponse): void => {
      const run = runs.get(runId);
      if (run.endedAt !== null) {
        throw new AppError(
          'CONFLICT',
          'This run has ended, so its questions can no longer be answered.',
        );
      }
      broker.respond(runId, interruptId, response);
      if (parts.isSecondary || runs.isActive(runId) || run.status === 'paused') return;
      if (interrupts.openOf(runId).length === 0) runs.resume(runId);
    },
    review: (
      runId: string,
      interruptId: string,
      argumentsText: string,
    ): RequestOutput<'runs.review'> => {
      const { question } = questionOf(runId, interruptId);
      const reviewed = parts.review(question.toolName ?? '', argumentsText);
      return { ...reviewed, reasons: [...reviewed.reasons] };
    },
    waiting: (): WaitingQuestion[] => waitingQuestions(interrupts, stores),
    exportText: (runId: string): RequestOutput<'runs.export'> => {
      const limit = RUN_FILE_LIMIT_CHARS;
      const text = runFileText(stores, { runId, limit, now: clock.now(), ...known });
      return { fileName: `${runId}.json`, text };
    },
    importText: async (text: string): Promise<{ run: Run; thread: Thread }> => {
      // Loaded here: only an import needs the validators of all event types.
      const { importRun } = await import('./run-import.ts');
      parts.secrets?.recall();
      const imported = importRun(parts.secrets?.text(text) ?? text, {
        ...{ stores, taints: parts.taints, now: clock.now() },
        optionsHere: (options) => optionsOfImport(options, settings()),
      });
      parts.onNewTask(imported.thread);
      return imported;
    },
    isActive: (runId: string): boolean => runs.isActive(runId),
    get: (runId: string): Run => runs.get(runId),
    list: (): Run[] => runs.list(),
    events: runs.events.bind(runs),
    listen: runs.listen.bind(runs),
    settled: (runId: string): Promise<Run> => runs.settled(runId),
  };
}

/** Every open question of unfinished runs, oldest first. */
export function waitingQuestions(
  interrupts: Pick<InterruptStore<Question>, 'open'>,
  { runs, threads }: Pick<ForkParts['stores'], 'runs' | 'threads'>,
): WaitingQuestion[] {
  return interrupts.open().map(({ id, runId, question, askedAt }) => {
    const { threadId } = runs.get(runId);
    const { title: threadTitle } = threads.get(threadId);
    return { runId, threadId, threadTitle, askedAt, ...questionFields(id, question) };
  });
}
