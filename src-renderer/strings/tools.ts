import { formatCount } from '../format.ts';
import { inLanguage } from '../language.ts';

/** Tool calls in the conversation. */
export const toolStrings = inLanguage('toolStrings', {
  /** The title of a tool, which the contract has in English. */
  title: (english: string) => english,
  called: (name: string) => `Called ${name}`,
  status: {
    running: 'Running',
    waiting: 'Waiting for you',
    approved: 'Approved',
    ok: 'Done',
    error: 'Failed',
    denied: 'Denied',
    cancelled: 'Stopped',
  },
  arguments: 'Arguments',
  output: 'Output',
  errors: 'Error output',
  result: 'Result for the model',
  exitCode: (code: number) => `exit code ${code}`,
  outcomes: {
    completed: 'Completed',
    timed_out: 'Stopped: time limit reached',
    out_of_memory: 'Stopped: out of memory',
    out_of_disk: 'Stopped: out of disk space',
    cancelled: 'Stopped by you',
    sandbox_lost: 'The sandbox stopped unexpectedly',
  },
  hidden: (lines: number, chars: number) =>
    lines > 0
      ? `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'} hidden`
      : `${formatCount(chars)} characters hidden`,
  onlyEnd: 'Only the end of this output is kept here.',
  showAll: (lines: number) => (lines > 1 ? `Show all ${formatCount(lines)} lines` : 'Show all'),
  showEnds: 'Show the beginning and the end',
  saveOutput: 'Save as a file',
  findings: (messages: string) => `Guardrails: ${messages}`,
  omitted: (count: number) => `${formatCount(count)} characters omitted from the middle`,
  sandbox: {
    docker: 'Docker',
    bubblewrap: 'bubblewrap',
    seatbelt: 'Seatbelt',
    landlock: 'Landlock',
    e2b: 'E2B cloud',
  },
  ranIn: (level: string) => `Ran in the sandbox: ${level}`,
  picture: {
    progress: 'Progress of the picture',
    queue: (before: number) =>
      before === 0 ? 'In the queue, next' : `In the queue, ${formatCount(before)} before it`,
    step: (step: number, steps: number | null) =>
      steps === null ? `Step ${step}` : `Step ${step} of ${steps}`,
    begins: 'The server prepares the picture',
    preview: 'Unfinished picture',
  },
  risk: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
});
