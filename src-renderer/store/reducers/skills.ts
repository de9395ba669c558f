import type { RunEventOf } from '#contract/events/run-event.ts';
import type { Reducers, RunView, ToolItem } from '../run-view.ts';
import { emptySkillWork, type SkillWork, withStage } from '../skill-view.ts';
import { changeTool, findItem, putItem, putNote, replaceItem, settle } from '../transcript.ts';

/** Name of the tool through which agents invoke skills. */
export const INVOKE_SKILL = 'invoke_skill';

export const skillReducers = {
  skill_walk: (view, event) => {
    const { walkId, walk } = event;
    return putItem(settle(view, event), event, { kind: 'walk', key: `walk ${walkId}`, walk });
  },
  skill_output: (view, event) => {
    const card = event.toolCallId === undefined ? null : skillCard(view, event.toolCallId);
    if (card !== null) {
      // The result of a nested skill is in its own call.
      if (card.item.toolCallId !== event.toolCallId) return view;
      return changeWork(view, event, card, (work) => ({ ...work, output: event.output }));
    }
    return putNote(view, event, {
      key: `skill ${event.executionId}`,
      topic: 'skill',
      title: event.skillId,
      detail: event.downloadUrl ?? event.previewUrl ?? '',
      state: 'ok',
    });
  },
} satisfies Partial<Reducers>;

/** The skill part of a call that invokes a skill; nothing for other calls, or within a skill. */
export function skillOf(
  view: RunView,
  { toolCallId, name, arguments: given }: RunEventOf<'tool_call'>,
): Pick<ToolItem, 'skill'> | null {
  if (name !== INVOKE_SKILL) return null;
  const known = findItem(view, 'tool', `call ${toolCallId}`)?.item.skill ?? null;
  const skillId = typeof given.skill_id === 'string' ? given.skill_id : '';
  // A call that is logged again after a pause keeps its progress.
  return { skill: known === null ? emptySkillWork(skillId, false) : { ...known, direct: false } };
}

/** Adds a stage to the card of its skill. A run that is one skill has no call, so its card is made here. */
export function noteSkillStage(before: RunView, event: RunEventOf<'stage'>): RunView {
  const { skill } = event;
  if (skill === undefined) return before;
  let view = before;
  let card = skillCard(view, skill.toolCallId);
  if (card === null) {
    const { toolCallId, id } = skill;
    view = changeTool(settle(view, event), event, {
      toolCallId,
      name: INVOKE_SKILL,
      arguments: { skill_id: id },
      skill: emptySkillWork(id, true),
    });
    card = skillCard(view, toolCallId);
  }
  if (card === null) return view;
  const noted = changeWork(view, event, card, (work) => withStage(work, event));
  return endDirect(noted, event);
}

/** A skill without a call ends with its own stage. */
function endDirect(view: RunView, event: RunEventOf<'stage'>): RunView {
  const card = event.skill === undefined ? null : skillCard(view, event.skill.toolCallId);
  const work = card?.item.skill;
  if (card === null || work?.direct !== true || event.status === 'running') return view;
  const first = work.stages[0];
  if (first?.key !== `${event.skill?.executionId} ${event.name}` || first.name !== null)
    return view;
  const isDone = event.status === 'completed';
  const item: ToolItem = {
    ...card.item,
    status: isDone ? 'ok' : 'error',
    content: isDone ? card.item.content : event.description,
    durationMs: event.at - card.item.startedAt,
  };
  return replaceItem(view, event, { place: card.place, item });
}

type Card = { readonly place: number; readonly item: ToolItem };

/** The card that shows a call, or the skill around it. */
function skillCard(view: RunView, toolCallId: string): Card | null {
  for (let id = toolCallId; id !== ''; id = id.slice(0, Math.max(0, id.lastIndexOf('.')))) {
    const found = findItem(view, 'tool', `call ${id}`);
    if (found?.item.skill != null) return found;
  }
  return null;
}

function changeWork(
  view: RunView,
  event: RunEventOf<'stage' | 'skill_output'>,
  { place, item }: Card,
  change: (work: SkillWork) => SkillWork,
): RunView {
  if (item.skill === null) return view;
  const skill = { ...change(item.skill), version: event.seq };
  return replaceItem(view, event, { place, item: { ...item, skill } });
}
