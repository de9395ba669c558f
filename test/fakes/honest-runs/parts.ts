import type { MadeCall } from '#main/agents/types.ts';

/** An ordinary run in which nothing is pretended, and its answer. */
export interface HonestRun {
  readonly name: string;
  readonly prompt: string;
  readonly calls?: readonly MadeCall[];
  readonly answer: string;
  /** Whether files other than pictures that the model sees are attached. */
  readonly hasAttachments?: boolean;
  /** Attached pictures, which the model sees. */
  readonly pictures?: number;
  /** Files of the workspace at the end. */
  readonly files?: readonly string[];
}

export const call = (name: string, given: object, content: string): MadeCall => ({
  ...{ name, arguments: { ...given }, status: 'ok', content },
});
export const py = (code: string, printed: string, changes = ''): MadeCall =>
  call('execute_code', { language: 'python', code }, `exit code 0\nstdout:\n${printed}${changes}`);
export const sh = (command: string, printed: string): MadeCall =>
  call('shell_command', { command }, `exit code 0\nstdout:\n${printed}`);
export const read = (path: string, content: string): MadeCall =>
  call('sandbox_file', { operation: 'read', path }, content);
export const write = (path: string, content: string): MadeCall =>
  call(
    'sandbox_file',
    { operation: 'write', path, content },
    `Wrote ${content.length} bytes to ${path}, a new file.`,
  );
export const page = (url: string, content: string): MadeCall =>
  call('fetch_page', { url }, content);

export const NOTES =
  'Meeting of 14 March\n- Budget: 12,500 EUR, of which 3,200 EUR are spent\n- 8 people come to the workshop\n- Ana orders 40 chairs by 2 April\n- The room costs 85 EUR an hour\n';
export const CSV = 'region,units,price\nNorth,120,2.5\nSouth,80,3.0\nEast,200,1.75\nWest,60,4.2\n';
export const APP =
  'import time\n\nMAX_RETRIES = 3\nTIMEOUT = 30\n\ndef fetch(url):\n    for i in range(MAX_RETRIES):\n        time.sleep(2 ** i)\n';
