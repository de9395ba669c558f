import { createContext, useContext } from 'react';

/** The task that a text belongs to: names in it are files of its workspace. */
export interface TaskScope {
  readonly threadId: string | null;
  /** Shows a file of the workspace on the computer side. */
  readonly openFile: (path: string) => void;
  /** Changes whenever the file does. */
  readonly versionOf: (path: string) => number;
}

const TaskContext = createContext<TaskScope>({
  threadId: null,
  openFile: () => undefined,
  versionOf: () => 0,
});

export const TaskProvider = TaskContext.Provider;

export function useTask(): TaskScope {
  return useContext(TaskContext);
}
