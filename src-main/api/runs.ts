import type { Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import { EVENT_PAGE_SIZE, RUN_FILE_LIMIT_CHARS } from '#contract/limits.ts';
import type { Settings } from '#contract/settings.ts';
import type { RunSkill } from '#contract/skills.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { ReviewedArguments } from '../hitl/answer-checks.ts';
import { questionFields } from '../hitl/question-fields.ts';
import type { InterruptBroker, Question } from '../hitl/types.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import { copyTaskBefore, type ForkParts, forkRun } from '../run/fork-run.ts';
import { runFileText } from '../run/run-export.ts';
import { completeRunOptions, optionsOfImport } from '../run/run-options.ts';
import type { RunService } from '../run/run-service.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import type { InterruptStore, StoredInterrupt, TaintStore } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface RunRequestParts extends ForkParts {
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
  /** What the policy of this computer holds for runs. */
  readonly limits: Pick<PolicyLimits, 'checkRunOptions' | 'checkLevel'>;
  /** Another process works on the runs; this one only answers questions. */
  readonly isSecondary: boolean;
  /** Called with a task that was created without a turn. */
  readonly onNewTask: (thread: Thread) => void;
}

/** Requests about runs, over the run service and the stores. Unknown ids throw `NOT_FOUND`. */
export function runRequests(parts: RunRequestParts) {
  const { runs, broker, interrupts, attachments, settings, stores, clock } = parts;

  function questionOf(runId: string, interruptId: string): StoredInterrupt<Question> {
    const found = interrupts.get(interruptId);
    if (found !== null && found.runId === runId) return found;
    throw new AppError('NOT_FOUND', `This run has no question "${interruptId}".`);
  }

  const known = parts.secrets === undefined ? {} : { secrets: parts.secrets };

  return {
    'runs.start': async ({ threadId, prompt, attachmentIds, folder, options: asked, level }) => {
      parts.limits.checkRunOptions(asked);
      parts.limits.checkLevel(level);
      const started = await runs.start({
        ...(threadId === undefined ? {} : { threadId }),
        prompt,
        attachments: attachments.find(attachmentIds),
        ...(folder === undefined ? {} : { folder }),
        options: completeRunOptions(asked, {
          settings: settings(),
          checkSkill: parts.checkSkill,
        }),
        ...(level === undefined ? {} : { level }),
      });
      await attachments.remove(attachmentIds);
      return started;
    },
    /** Asks the run to stop; returns before it has stopped. */
    'runs.cancel': ({ runId }) => {
      runs.cancel(runId);
      return {};
    },
    'runs.get': ({ runId }) => ({ run: runs.get(runId) }),
    'runs.events': ({ runId, afterSeq, limit = EVENT_PAGE_SIZE }) => {
      const { lastSeq } = runs.get(runId);
      return { events: runs.events(runId, afterSeq, limit), lastSeq };
    },
    'runs.subscribe': ({ runId, afterSeq }, caller) => {
      const run = runs.get(runId);
      caller.subscribe(runId, afterSeq);
      return { run };
    },
    'runs.unsubscribe': ({ runId }, caller) => {
      caller.unsubscribe(runId);
      return {};
    },
    /** The answer counts whether or not the run is active; if it is not, it continues now. */
    'runs.respond': ({ runId, interruptId, response }) => {
      const run = runs.get(runId);
      if (run.endedAt !== null) {
        throw new AppError(
          'CONFLICT',
          'This run has ended, so its questions can no longer be answered.',
        );
      }
      broker.respond(runId, interruptId, response);
      const mayResume = !parts.isSecondary && !runs.isActive(runId) && run.status !== 'paused';
      if (mayResume && interrupts.openOf(runId).length === 0) runs.resume(runId);
      return {};
    },
    'runs.resume': ({ runId }) => ({ run: runs.resume(runId) }),
    'runs.pause': ({ runId }) => {
      runs.pause(runId);
      return {};
    },
    'runs.retry': ({ runId }) => ({ run: runs.retry(runId) }),
    'runs.fork': async ({ runId, seq }) => {
      const forked = await forkRun({ runId, seq }, parts);
      parts.onNewTask(forked.thread);
      return forked;
    },
    'runs.edit': async ({ runId, prompt }) => {
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
    'runs.review': ({ runId, interruptId, argumentsText }) => {
      const { question } = questionOf(runId, interruptId);
      const reviewed = parts.review(question.toolName ?? '', argumentsText);
      return { ...reviewed, reasons: [...reviewed.reasons] };
    },
    'runs.export': ({ runId }) => {
      const limit = RUN_FILE_LIMIT_CHARS;
      const text = runFileText(stores, { runId, limit, now: clock.now(), ...known });
      return { fileName: `${runId}.json`, text };
    },
    'runs.import': async ({ text }) => {
      // Loaded here: only an import needs the validators of all event types.
      const { importRun } = await import('../run/run-import.ts');
      parts.secrets?.recall();
      const imported = importRun(parts.secrets?.text(text) ?? text, {
        stores,
        taints: parts.taints,
        now: clock.now(),
        optionsHere: (options) => optionsOfImport(options, settings()),
      });
      parts.onNewTask(imported.thread);
      return imported;
    },
    'runs.waiting': () => ({ questions: waitingQuestions(interrupts, stores) }),
  } satisfies Requests<'runs'>;
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
