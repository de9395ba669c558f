/** What the window says of programs in the background. */
export const programStrings = {
  label: 'Programs in the background',
  title: (count: number): string =>
    `${count} ${count === 1 ? 'program' : 'programs'} running in the background`,
  unknown: 'Programs may be running in the background; this sandbox does not tell.',
  since: (time: string, pid: number): string => `since ${time}, pid ${pid}`,
  end: 'End all',
} as const;
