import { createContext, useContext } from 'react';

/** A part of the computer panel that belongs to one run. */
export type ShownPart =
  | { readonly side: 'plan'; readonly runId: string }
  | { readonly side: 'browser'; readonly runId: string }
  | { readonly side: 'sources'; readonly runId: string; readonly index?: number }
  | { readonly side: 'report'; readonly runId: string; readonly reportId: string };

/** The task that a text belongs to: names in it are files of its workspace. */
export interface TaskScope {
  readonly threadId: string | null;
  /** Shows a file of the workspace on the computer side. */
  readonly openFile: (path: string) => void;
  /** Shows a plan, sources, a report or the browser there. */
  readonly show: (part: ShownPart) => void;
  /** Puts the focus into the message box. */
  readonly focusMessage: () => void;
  /** A number that changes whenever the file does. */
  readonly versionOf: (path: string) => number;
}

const TaskContext = createContext<TaskScope>({
  threadId: null,
  openFile: () => undefined,
  show: () => undefined,
  focusMessage: () => undefined,
  versionOf: () => 0,
});

export const TaskProvider = TaskContext.Provider;

export function useTask(): TaskScope {
  return useContext(TaskContext);
}
