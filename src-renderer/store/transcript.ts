import type { RunEvent } from '#contract/events/run-event.ts';
import type {
  Activity,
  NoteItem,
  RunView,
  ToolItem,
  ToolStatus,
  TranscriptItem,
} from './run-view.ts';
import type { SkillWork } from './skill-view.ts';

const ENDED: ReadonlySet<ToolStatus> = new Set(['ok', 'error', 'denied', 'cancelled']);

/** Whether a call has its result. */
export function isEnded(status: ToolStatus): boolean {
  return ENDED.has(status);
}

/** What reducers do to the list of the chat. Each operation takes constant time. */

export function addItem(view: RunView, event: RunEvent, item: TranscriptItem): RunView {
  const { transcript } = view;
  const place = transcript.items.length;
  noteLane(view, event, { key: item.key, place });
  transcript.places.set(item.key, place);
  transcript.items.push(item);
  return touch(view, event);
}

/** Notes the step that made an item, where other steps ran at the same time. */
function noteLane(
  { plan, transcript }: RunView,
  event: RunEvent,
  { key, place }: { readonly key: string; readonly place: number },
): void {
  if (plan === null || plan.lanes.size === 0 || transcript.lanes.has(key)) return;
  const stepId = stepOf(event);
  const isBeside = [...plan.lanes.values()].some(({ stepIds }) => stepIds.includes(stepId ?? ''));
  const step = plan.revisions.at(-1)?.steps.find(({ id }) => id === stepId);
  if (!isBeside || step === undefined) return;
  const before = transcript.lanes.get(transcript.items[place - 1]?.key ?? '');
  const isStart = before?.stepId !== step.id;
  transcript.lanes.set(key, { stepId: step.id, title: step.title, isStart });
}

/** The id of a message ends in its place in the run, such as `-mstep-s1/2` for the second answer of step `s1`. */
const STEP_OF_MESSAGE = /-mstep-([\w~-]+)\//;

function stepOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'tool_call':
      return event.stepId ?? null;
    case 'token':
    case 'reasoning': {
      const name = STEP_OF_MESSAGE.exec(event.messageId)?.[1];
      // What a path may not hold is written in it by its code.
      return (
        name?.replace(/~([0-9a-f]{4})/g, (_all, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ) ?? null
      );
    }
    default:
      return null;
  }
}

export function replaceItem(
  view: RunView,
  event: RunEvent,
  change: { readonly place: number; readonly item: TranscriptItem },
): RunView {
  view.transcript.items[change.place] = change.item;
  return touch(view, event);
}

function touch(view: RunView, event: RunEvent): RunView {
  return { ...view, transcript: { ...view.transcript, version: event.seq } };
}

/** The item with this key, if it is of this kind. */
export function findItem<Kind extends TranscriptItem['kind']>(
  view: RunView,
  kind: Kind,
  key: string,
): { readonly place: number; readonly item: Extract<TranscriptItem, { kind: Kind }> } | null {
  const place = view.transcript.places.get(key);
  if (place === undefined) return null;
  const item = view.transcript.items[place];
  if (item === undefined || item.kind !== kind) return null;
  return { place, item: item as Extract<TranscriptItem, { kind: Kind }> };
}

/** Closes the text or thinking that was still growing. */
export function settle(view: RunView, event: RunEvent): RunView {
  const { live, items } = view.transcript;
  if (live === null) return view;
  const item = items[live];
  const settled = { ...view, transcript: { ...view.transcript, live: null } };
  if (item?.kind === 'text') {
    return replaceItem(settled, event, { place: live, item: { ...item, finished: true } });
  }
  if (item?.kind === 'reasoning') {
    return replaceItem(settled, event, { place: live, item: { ...item, endedAt: event.at } });
  }
  return settled;
}

export function setLive(view: RunView, live: number): RunView {
  return { ...view, transcript: { ...view.transcript, live } };
}

type ToolChange = Partial<ToolItem> & Pick<ToolItem, 'toolCallId'>;

/**
 * Changes the card of a call, and creates it on the first event of the call. Calls of a skill are part
 * of the skill's card.
 */
export function changeTool(view: RunView, event: RunEvent, change: ToolChange): RunView {
  const owner = skillAround(view, change.toolCallId);
  if (owner !== null) {
    const skill = withCall(owner.work, event, change);
    const item = { ...owner.item, skill };
    return replaceItem(view, event, { place: owner.place, item });
  }
  const found = findItem(view, 'tool', `call ${change.toolCallId}`);
  if (found === null) return addItem(view, event, startedTool(event, change));
  const item = { ...found.item, ...change };
  // A call that was asked about has its card already.
  noteLane(view, event, { key: item.key, place: found.place });
  return replaceItem(view, event, { place: found.place, item });
}

/** A call of the run, or of a skill of it; null before its first event. */
export function findCall(view: RunView, toolCallId: string): ToolItem | null {
  const owner = skillAround(view, toolCallId);
  if (owner === null) return findItem(view, 'tool', `call ${toolCallId}`)?.item ?? null;
  return owner.work.calls[owner.work.callPlaces.get(toolCallId) ?? -1] ?? null;
}

function startedTool(event: RunEvent, change: ToolChange): ToolItem {
  return {
    kind: 'tool',
    key: `call ${change.toolCallId}`,
    name: '',
    arguments: {},
    risk: null,
    status: 'running',
    startedAt: event.at,
    durationMs: null,
    endedSeq: null,
    sandboxLevel: null,
    content: null,
    omittedChars: 0,
    findings: [],
    errorCode: null,
    code: null,
    question: null,
    answer: null,
    skill: null,
    ...change,
  };
}

/** The card of the skill that made a call: main gives such calls the id `PARENT.N`. */
function skillAround(
  view: RunView,
  toolCallId: string,
): { readonly place: number; readonly item: ToolItem; readonly work: SkillWork } | null {
  let end = toolCallId.lastIndexOf('.');
  while (end > 0) {
    const found = findItem(view, 'tool', `call ${toolCallId.slice(0, end)}`);
    const work = found?.item.skill ?? null;
    if (found !== null && work !== null) return { ...found, work };
    end = toolCallId.lastIndexOf('.', end - 1);
  }
  return null;
}

function withCall(work: SkillWork, event: RunEvent, change: ToolChange): SkillWork {
  const place = work.callPlaces.get(change.toolCallId) ?? work.calls.length;
  const before = work.calls[place];
  work.calls[place] = before === undefined ? startedTool(event, change) : { ...before, ...change };
  work.callPlaces.set(change.toolCallId, place);
  return { ...work, version: event.seq };
}

/** Adds an item, or replaces the one with its key. */
export function putItem(view: RunView, event: RunEvent, item: TranscriptItem): RunView {
  const place = view.transcript.places.get(item.key);
  return place === undefined
    ? addItem(view, event, item)
    : replaceItem(view, event, { place, item });
}

/** Adds a note, or replaces the one with its key. */
export function putNote(view: RunView, event: RunEvent, note: Omit<NoteItem, 'kind'>): RunView {
  return putItem(view, event, { kind: 'note', ...note });
}

/** Marks the notes, calls and skills that were not over when the run ended as stopped. */
export function stopItems(view: RunView, event: RunEvent): RunView {
  let next = view;
  for (const [place, item] of view.transcript.items.entries()) {
    if (item.kind === 'tool') {
      const stopped = stopCall(item, event);
      if (stopped !== item) next = replaceItem(next, event, { place, item: stopped });
    }
    if (item.kind !== 'note' || item.state !== 'running') continue;
    next = replaceItem(next, event, { place, item: { ...item, state: 'neutral' } });
  }
  return next;
}

function stopCall(item: ToolItem, event: RunEvent): ToolItem {
  const { skill } = item;
  const isOpen = skill?.calls.some((call) => stopCall(call, event) !== call) === true;
  const stopped =
    skill !== null && isOpen
      ? {
          ...item,
          skill: {
            ...skill,
            version: event.seq,
            calls: skill.calls.map((call) => stopCall(call, event)),
          },
        }
      : item;
  return isEnded(item.status) ? stopped : { ...stopped, status: 'cancelled' };
}

export function setActivity(view: RunView, event: RunEvent, kind: Activity['kind']): RunView {
  if (view.activity.kind === kind && view.activity.stage === null) return view;
  return { ...view, activity: { kind, stage: null, stageName: null, since: event.at } };
}
