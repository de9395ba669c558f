import { useRef } from 'react';
import type { RunSkill } from '#contract/skills.ts';
import { useApp, useSession } from '../session-context.ts';
import { liveRun } from '../store/selectors.ts';
import { useAnnounce } from './announcer.tsx';

export interface RunInTask {
  /** A run of the task is going on: nothing can be started. */
  readonly isBusy: boolean;
  /** Starts a skill as a turn of the task, once, and says that it started or why it could not. */
  readonly start: (prompt: string, skill: RunSkill) => Promise<void>;
}

/** For buttons that let the agent do something in a task; `started` is said once it began. */
export function useRunInTask(threadId: string, started: string): RunInTask {
  const { skills, showError } = useSession();
  const announce = useAnnounce();
  const isBusy = useApp((state) => liveRun(state, threadId) !== null);
  const isStarting = useRef(false);
  const start = async (prompt: string, skill: RunSkill): Promise<void> => {
    if (isStarting.current) return;
    isStarting.current = true;
    const error = await skills.runInTask(threadId, { prompt, skill, attachmentIds: [] });
    isStarting.current = false;
    if (error === null) announce(started);
    else showError(error.message);
  };
  return { isBusy, start };
}
