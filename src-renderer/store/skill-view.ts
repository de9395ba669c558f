import type { RunEventOf } from '#contract/events/run-event.ts';
import type { SkillProgress } from '#contract/skills.ts';
import type { ToolItem } from './run-view.ts';

/** A stage of a skill, or an execution as a whole. */
export interface SkillStage {
  /** Id of the execution and name of the stage. */
  readonly key: string;
  readonly executionId: string;
  /** Null for the execution as a whole. */
  readonly name: string | null;
  readonly description: string;
  readonly status: RunEventOf<'stage'>['status'];
  readonly startedAt: number;
  /** Null while it goes on. */
  readonly endedAt: number | null;
}

/**
 * The progress of an invoked skill. Its lists grow in place, as those of a run do, but each event that
 * changes it makes a new object, so readers compare by identity.
 */
export interface SkillWork {
  readonly version: number;
  readonly skillId: string;
  /** True if the whole run is this skill, without a call by a model. */
  readonly direct: boolean;
  readonly stages: SkillStage[];
  readonly stagePlaces: Map<string, number>;
  /** Calls that it made, oldest first, including those of nested skills. */
  readonly calls: ToolItem[];
  readonly callPlaces: Map<string, number>;
  readonly output: RunEventOf<'skill_output'>['output'] | null;
}

/** How far a task is in a Markdown skill. */
export interface SkillProgressItem {
  readonly kind: 'walk';
  readonly key: string;
  readonly walk: SkillProgress;
}

export function emptySkillWork(skillId: string, direct: boolean): SkillWork {
  return {
    version: 0,
    skillId,
    direct,
    stages: [],
    stagePlaces: new Map(),
    calls: [],
    callPlaces: new Map(),
    output: null,
  };
}

/** Inserts or updates a stage; a repeated one keeps its start time. */
export function withStage(work: SkillWork, event: RunEventOf<'stage'>): SkillWork {
  const { skill, description, status, at } = event;
  if (skill === undefined) return work;
  const key = `${skill.executionId} ${event.name}`;
  const place = work.stagePlaces.get(key) ?? work.stages.length;
  const stage: SkillStage = {
    key,
    executionId: skill.executionId,
    name: stageName(event.name, skill.id),
    description,
    status,
    startedAt: work.stages[place]?.startedAt ?? at,
    endedAt: status === 'running' ? null : at,
  };
  work.stages[place] = stage;
  work.stagePlaces.set(key, place);
  return { ...work, version: event.seq };
}

/** Main names the whole `skill_ID`, and a stage `skill_ID.STAGE`. */
function stageName(name: string, skillId: string): string | null {
  const whole = `skill_${skillId}`;
  if (name === whole) return null;
  return name.startsWith(`${whole}.`) ? name.slice(whole.length + 1) : name;
}

/** The nesting depth of an execution: a skill within a skill has a longer id. */
export function stageDepth(work: SkillWork, stage: SkillStage): number {
  const base = work.stages[0]?.executionId ?? stage.executionId;
  if (!stage.executionId.startsWith(base)) return 1;
  return stage.executionId.slice(base.length).split('.').length - 1;
}

/** The stages to show: the card's header already stands for the skill as a whole. */
export function shownStages(work: SkillWork): readonly SkillStage[] {
  return work.stages.filter((stage) => stage.name !== null || stageDepth(work, stage) > 0);
}
