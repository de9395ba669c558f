import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import type { AgentContext } from '../agents/types.ts';
import { raceAbort, withTimeLimit } from '../base/abort.ts';
import { RUN_STEP } from '../base/step-path.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import { askStructured } from '../models/structured-answer.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { RunJournal } from '../storage/types.ts';
import { isModelFailure } from './judge.ts';
import { type Classification, complexRoute, researchRoute } from './quick-route.ts';

const Choice = z.object({ route: z.enum(['one_step', 'plan', 'research']) });
type Choice = z.infer<typeof Choice>['route'];

/** What the model reads of a request: its start and its end. */
const HEAD = 4_000;
const TAIL = 1_000;
/** After that, the executor starts: the user waits for this answer. */
const TIMEOUT_MS = 20_000;
const MAX_ANSWER_TOKENS = 100;

export interface RouteQuestion {
  readonly prompt: string;
  readonly model: () => Promise<ChatModel>;
  readonly systemPrompt: string;
  readonly signal: AbortSignal;
  readonly onReply: (reply: ModelReply, model: ChatModel) => void;
}

/** Where the answer is stored. */
export interface Kept extends Pick<AgentContext, 'runId' | 'persist'> {
  readonly journal: RunJournal;
}

/**
 * Asks a small model about a task whose words leave the route open. Null if the task may be one step, or the
 * model gives no usable answer in time. The answer is stored: a run that resumes keeps its route.
 */
export async function askRoute(
  question: RouteQuestion,
  { journal, runId, persist }: Kept,
): Promise<Classification | null> {
  const stored = safeParse(Choice, journal.newest(runId, RUN_STEP, 'route')?.payload).data;
  const route = stored?.route ?? (await choiceOf(question));
  if (stored === undefined) {
    persist(() => journal.append(runId, { step: RUN_STEP, kind: 'route', payload: { route } }));
  }
  switch (route) {
    case 'one_step':
      return null;
    case 'plan':
      return complexRoute('The Flash model sees several pieces of work.');
    case 'research':
      return researchRoute('The Flash model sees a question for several sources.');
  }
}

async function choiceOf({
  prompt,
  model: open,
  systemPrompt,
  signal,
  onReply,
}: RouteQuestion): Promise<Choice> {
  const limited = withTimeLimit(signal, TIMEOUT_MS);
  const shown =
    prompt.length > HEAD + TAIL ? `${prompt.slice(0, HEAD)}\n…\n${prompt.slice(-TAIL)}` : prompt;
  try {
    const model = await raceAbort(open(), limited);
    const answer = await askStructured(
      model,
      {
        messages: [
          { role: 'system', content: systemPrompt },
          {
            role: 'user',
            content: delimitAsData(shown, { toolCallId: 'route', source: 'the user' }),
          },
        ],
        schema: Choice,
        temperature: 0,
        maxOutputTokens: MAX_ANSWER_TOKENS,
      },
      {
        signal: limited,
        onProgress: () => undefined,
        onReply: (reply) => onReply(reply, model),
      },
    );
    return answer.ok ? answer.value.route : 'one_step';
  } catch (error) {
    // The executor decides then; a run that was stopped ends here.
    if (signal.aborted || !(limited.aborted || isModelFailure(error))) throw error;
    return 'one_step';
  }
}
