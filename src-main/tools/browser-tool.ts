import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ToolName } from '#contract/tools.ts';
import type { ToolEffect } from '#contract/vocabulary.ts';
import { isLook, LOOKS } from '../browser/looks.ts';
import type {
  ActingRun,
  ActionOutcome,
  BrowserAction,
  PagePlace,
  ScreenshotLabel,
  TaskBrowser,
} from '../browser/types.ts';
import { pageOf } from '../egress/page-of.ts';
import type { CallSubjects } from '../hitl/approval-rules.ts';
import { labelPicture, sizeOfPng } from '../pictures/label-picture.ts';
import { browserFiles } from './browser-files.ts';
import { judgeAction, type SeenPage } from './browser-judgement.ts';
import { defineTool, type ToolParts } from './define-tool.ts';
import type { ToolContext, ToolDefinition, ToolOutput } from './types.ts';
import { viewTokens } from './view-tokens.ts';

export type BrowserToolParts = Pick<ToolParts, 'browsers' | 'pictures'>;

interface BrowserToolSpec<Input extends z.ZodType> {
  readonly name: ToolName;
  readonly description: string;
  readonly input: Input;
  /** Files that it opens: what rules match. */
  readonly paths?: (input: z.infer<Input>) => readonly string[];
  /** What a call does in the browser. Throws `BAD_REQUEST`. */
  readonly action: (input: z.infer<Input>) => BrowserAction;
}

/** A ref as views show it; models also write `[e12]` and `ref=e12`. */
export const Ref = z
  .string()
  .min(1)
  .max(60)
  .transform((text) =>
    text
      .trim()
      .toLowerCase()
      .replace(/^\[?(?:ref=)?|\]$/g, ''),
  );

/** Shown nowhere but to the model: what is at neither of both is refused. */
export function placeOf({
  ref,
  x,
  y,
}: {
  ref?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
}): PagePlace {
  if (ref !== undefined) return { ref };
  if (x !== undefined && y !== undefined) return { x, y };
  throw new AppError('BAD_REQUEST', 'Give a ref, or x and y.');
}

/**
 * A tool that does one action in the browser of the task: in order with all others, judged by the page as it was
 * last seen, and undone by nothing. What it returns are the words of the page.
 */
export function browserTool<Input extends z.ZodType>(
  { browsers, pictures }: BrowserToolParts,
  { name, description, input, action, paths }: BrowserToolSpec<Input>,
): ToolDefinition {
  return defineTool({
    name,
    description,
    input,
    risk: 'low',
    effect: (given: z.infer<Input>) => effectOf(tryAction(() => action(given))),
    isLook: LOOKS.some((kind) => name === `browser_${kind}`),
    ...(paths === undefined
      ? {}
      : { subjects: (given: z.infer<Input>): CallSubjects => ({ paths: paths(given) }) }),
    inRun: (given: z.infer<Input>, { egress, threadId }) => {
      const planned = tryAction(() => action(given));
      if (planned === null) return { risk: 'low' };
      return judgeAction(planned, { browser: browsers.forTask(threadId), egress });
    },
    run: async (given: z.infer<Input>, context) => {
      const planned = action(given);
      const withFiles = planned.kind === 'upload' ? { ...planned, paths: context.paths } : planned;
      const browser = browsers.forTask(context.threadId);
      return await act(withFiles, { browser, pictures, context });
    },
  });
}

/** Looking and moving may be repeated after a crash; what acts never is. */
function effectOf(action: BrowserAction | null): ToolEffect {
  if (action === null || isLook(action)) return 'read';
  switch (action.kind) {
    case 'navigate':
      return 'read';
    // A field that is filled again holds the same.
    case 'type':
      return action.submit === true ? 'opaque' : 'idempotent';
    case 'dialog':
      return action.accept ? 'opaque' : 'idempotent';
    case 'click':
    case 'press_key':
    case 'select':
    case 'drag':
    case 'upload':
      return 'opaque';
  }
}

/** Null for arguments that fit the schema and still say nothing: the call itself reports it. */
function tryAction(action: () => BrowserAction): BrowserAction | null {
  try {
    return action();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

interface Acting extends Pick<BrowserToolParts, 'pictures'> {
  readonly browser: TaskBrowser;
  readonly context: ToolContext;
}

async function act(action: BrowserAction, acting: Acting): Promise<ToolOutput> {
  const { browser, context } = acting;
  // Set by `inRun` of the same call: what nobody judged does not run.
  if (context.seen === undefined) throw new Error(`${action.kind} was not judged`);
  const seen = context.seen as SeenPage;
  const events: RunEventDraft[] = [];
  const run = runOf(context, { events, seen });
  const refusal = refusalOf(action, { seen, browser, context });
  if (refusal !== null) {
    const { text, url } = await browser.act({ kind: 'snapshot' }, run);
    const source = browser.isPreview(url) ? {} : { untrusted: pageHost(url) };
    return { content: `${refusal} Nothing was done.\n\n${text}`, ok: false, ...source };
  }
  context.egress.grant(seen.opens ?? []);
  const outcome = await browser.act(action, run);
  return await outputOf(outcome, { ...acting, events });
}

function runOf(
  { runId, toolCallId, egress, signal, sandbox, emit, windowTokens = null }: ToolContext,
  { events, seen }: { readonly events: RunEventDraft[]; readonly seen: SeenPage },
): ActingRun {
  return {
    ...{ runId, toolCallId, egress, signal, emit },
    viewTokens: viewTokens(windowTokens),
    workspace: browserFiles(sandbox.workspace, { toolCallId, events }),
    ...defined({ expected: seen.expected }),
  };
}

/** Why an action must not run: it was judged by less than it would act on. */
function refusalOf(
  action: BrowserAction,
  { seen, browser, context }: Pick<Acting, 'browser' | 'context'> & { readonly seen: SeenPage },
): string | null {
  if (seen.unknownRef !== undefined) {
    return `${seen.unknownRef} was in no view that you have seen.`;
  }
  if (placesOf(action).some((place) => 'x' in place) && context.modelSees !== true) {
    return 'A point of the page can only be used by a model that sees pictures: use a ref.';
  }
  if (action.kind === 'dialog' && !isDeepStrictEqual(seen.dialog, browser.dialog)) {
    return 'The page has another dialog now than when you answered.';
  }
  return null;
}

function placesOf(action: BrowserAction): readonly PagePlace[] {
  if (action.kind === 'drag') return [action.from, action.to];
  return action.kind === 'click' || action.kind === 'hover' ? [action.at] : [];
}

async function outputOf(
  { ok, text, url, screenshot, labels = [] }: ActionOutcome,
  { pictures, browser, context, events }: Acting & { readonly events: readonly RunEventDraft[] },
): Promise<ToolOutput> {
  const { threadId, signal } = context;
  // The task's own app shows what the agent wrote.
  const source = browser.isPreview(url) ? {} : { untrusted: pageHost(url) };
  const output = { content: text, ok, data: text, ...source, events };
  if (screenshot === undefined) return output;
  const bytes = labels.length === 0 ? screenshot : labelled(screenshot, labels);
  const picture = await pictures.add(
    threadId,
    { name: `a picture of ${pageHost(url)}`, bytes },
    signal,
  );
  return { ...output, pictures: [picture] };
}

function labelled(png: Uint8Array, labels: readonly ScreenshotLabel[]): Uint8Array {
  return labelPicture(png, {
    size: sizeOfPng(png),
    labels: labels.map(({ ref, isOpaque, ...place }) => ({
      ...place,
      text: ref,
      hasGrid: isOpaque,
    })),
  });
}

/** Whatever a page shows was written by others. */
function pageHost(url: string | null): string {
  return (url === null ? undefined : pageOf(url)?.host) ?? 'the browser';
}
