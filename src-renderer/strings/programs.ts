/** Background programs of the sandbox. */
export const programStrings = {
  label: 'Background programs',
  title: (count: number): string =>
    `${count} ${count === 1 ? 'program' : 'programs'} running in the background`,
  unknown: 'Programs may be running in the background. This sandbox does not report them.',
  since: (time: string, pid: number): string => `since ${time}, pid ${pid}`,
  end: 'Stop all',
} as const;
