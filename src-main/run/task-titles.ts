import { z } from 'zod';
import type { ModelRef, Run } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import { askWithin } from '../models/ask-within.ts';
import type { ChatModel, ModelService } from '../models/types.ts';
import type { RunStores } from './run-record.ts';
import type { RunService } from './run-service.ts';
import { cleanTitle, saysAll, titleOf } from './run-title.ts';

export interface TaskTitleParts {
  readonly stores: Pick<RunStores, 'threads' | 'runs' | 'messages'>;
  readonly models: Pick<ModelService, 'open'>;
  readonly settings: () => Settings;
  readonly runs: Pick<RunService, 'renameThread'>;
  readonly secrets: KnownSecrets;
  readonly systemPrompt: string;
  readonly logger: Logger;
}

const LIMIT_MS = 30_000;
const PROMPT_CHARS = 2_000;
const ANSWER_CHARS = 1_000;
const Titled = z.strictObject({ title: z.string().max(1_000) });

/**
 * Gives tasks a title by the flash model, if one is set: one small request after the first answer, when the run
 * is over. A title that already says all of the prompt, or that the user changed, stays.
 */
export class TaskTitles implements Disposable {
  readonly #parts: TaskTitleParts;
  readonly #closed = new AbortController();

  constructor(parts: TaskTitleParts) {
    this.#parts = parts;
  }

  /** Call it with each run that changed. Never rejects. */
  async runChanged(run: Run): Promise<void> {
    const { logger, settings } = this.#parts;
    const flash = settings().tiers.flash;
    const hasAnswer = run.status === 'completed' || run.status === 'unverified';
    if (flash === null || !hasAnswer || !mayAsk(flash, run)) return;
    try {
      await this.#name(run, flash);
    } catch (error) {
      // The words of the prompt stay the title.
      if (!this.#closed.signal.aborted) logger.warn('A task got no title', { error });
    }
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
  }

  async #name(run: Run, flash: ModelRef): Promise<void> {
    const { stores, runs, secrets, systemPrompt } = this.#parts;
    const [turn, ...more] = stores.messages.listOfRun(run.id);
    const first = stores.runs.listOfThread(run.threadId).at(0);
    if (turn?.role !== 'user' || first?.id !== run.id || run.origin !== null) return;
    const given = titleOf(
      run.prompt,
      turn.attachments.map(({ name }) => name),
    );
    const isOurs = (): boolean => stores.threads.get(run.threadId).title === given;
    if (saysAll(given, run.prompt) || !isOurs()) return;
    const answer = more.find(({ role }) => role === 'assistant')?.content ?? '';
    const text = `User: ${run.prompt.slice(0, PROMPT_CHARS)}\n\nAssistant: ${answer.slice(0, ANSWER_CHARS)}`;
    const source = 'the beginning of a conversation';
    const title = await this.#ask(flash, {
      system: systemPrompt,
      user: delimitAsData(secrets.text(text), { toolCallId: 'title', source }),
    });
    const clean = title === null ? null : cleanTitle(secrets.text(title));
    // The user may have renamed it meanwhile.
    if (clean !== null && isOurs()) runs.renameThread(run.threadId, clean);
  }

  async #ask(
    flash: ModelRef,
    { system, user }: { readonly system: string; readonly user: string },
  ): Promise<string | null> {
    const { signal } = this.#closed;
    let opened: ChatModel | null = null;
    try {
      const asked = await askWithin(
        async () => {
          opened = await this.#parts.models.open(flash, { signal });
          return opened;
        },
        {
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          schema: Titled,
          temperature: 0,
        },
        { signal, limitMs: LIMIT_MS, onReply: () => undefined },
      );
      return asked.kind === 'answered' ? asked.value.title : null;
    } finally {
      await (opened as ChatModel | null)?.[Symbol.asyncDispose]();
    }
  }
}

/** A run that is offline is shown to no other server than its own. */
function mayAsk(flash: ModelRef, { options }: Run): boolean {
  return options.network !== 'offline' || flash.provider === options.model.provider;
}
