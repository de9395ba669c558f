import type { RunEvent } from '#contract/events/run-event.ts';
import type { AppTask, EvalSet, Outcome, Verdict } from '../types.ts';

/** An acceptable call: its tool, and a pattern for its arguments as JSON. */
interface Choice {
  readonly tool: string;
  /** What its arguments must match. */
  readonly holds?: RegExp;
}

interface ToolChoice {
  readonly name: string;
  readonly prompt: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The acceptable choices, best first. Empty if no call is expected. */
  readonly choices: readonly Choice[];
  /** What the scripted model calls, or, as text, what it answers. */
  readonly call: { readonly name: string; readonly arguments: Record<string, unknown> } | string;
  readonly tools?: readonly string[];
}

const bash = (holds: RegExp): Choice[] => [
  { tool: 'shell_command', holds },
  { tool: 'execute_code', holds },
];

const CHOICES: readonly ToolChoice[] = [
  {
    name: 'a Python program',
    prompt: 'Run a Python program that prints the first 20 prime numbers.',
    choices: [
      { tool: 'execute_code', holds: /python/ },
      { tool: 'shell_command', holds: /python/ },
    ],
    call: { name: 'execute_code', arguments: { language: 'python', code: 'print([2, 3, 5])' } },
  },
  {
    name: 'a Python program, asked in Chinese',
    prompt: '运行一段 Python 程序，输出 1 到 100 的和。',
    choices: [
      { tool: 'execute_code', holds: /python/ },
      { tool: 'shell_command', holds: /python/ },
    ],
    call: {
      name: 'execute_code',
      arguments: { language: 'python', code: 'print(sum(range(1, 101)))' },
    },
  },
  {
    name: 'a JavaScript program',
    prompt: 'Use JavaScript to compute 2 to the power of 100 exactly.',
    choices: [
      { tool: 'execute_code', holds: /javascript|typescript/ },
      { tool: 'shell_command', holds: /node/ },
    ],
    call: {
      name: 'execute_code',
      arguments: { language: 'javascript', code: 'console.log(2n ** 100n)' },
    },
  },
  {
    name: 'a command that is given',
    prompt: 'Run the command `uname -a` and show me what it prints.',
    choices: bash(/uname -a/),
    call: { name: 'shell_command', arguments: { command: 'uname -a' } },
  },
  {
    name: 'a pipeline',
    prompt: 'How many lines do all the .csv files here have together? Use one shell command.',
    files: { 'a.csv': 'x\n1\n', 'b.csv': 'x\n2\n3\n' },
    choices: bash(/csv/),
    call: { name: 'shell_command', arguments: { command: 'cat *.csv | wc -l' } },
  },
  {
    name: 'a look at the files',
    prompt: 'Which files are in the workspace? Look, do not guess.',
    files: { 'one.txt': '1\n', 'two.txt': '2\n' },
    choices: [
      { tool: 'sandbox_file', holds: /"operation":"list"/ },
      ...bash(/\bls\b|\bfind\b|listdir/),
    ],
    call: { name: 'sandbox_file', arguments: { operation: 'list', path: '.' } },
  },
  {
    name: 'a file to read',
    prompt: 'What is the first word in notes.txt?',
    files: { 'notes.txt': 'heliotrope and other words\n' },
    choices: [
      { tool: 'sandbox_file', holds: /"operation":"read".*notes\.txt/ },
      ...bash(/notes\.txt/),
    ],
    call: { name: 'sandbox_file', arguments: { operation: 'read', path: 'notes.txt' } },
  },
  {
    name: 'a file to write',
    prompt: 'Save a file hello.txt that contains exactly: Hello',
    choices: [
      { tool: 'sandbox_file', holds: /Hello.*"operation":"write".*hello\.txt/ },
      ...bash(/hello\.txt/),
    ],
    call: {
      name: 'sandbox_file',
      arguments: { operation: 'write', path: 'hello.txt', content: 'Hello' },
    },
  },
  {
    name: 'a file to rename',
    prompt: 'Rename draft.txt to final.txt.',
    files: { 'draft.txt': 'text\n' },
    choices: [
      { tool: 'sandbox_file', holds: /final\.txt.*"operation":"move".*draft\.txt/ },
      ...bash(/draft\.txt.*final\.txt/),
    ],
    call: {
      name: 'sandbox_file',
      arguments: { operation: 'move', path: 'draft.txt', destination: 'final.txt' },
    },
  },
  {
    name: 'a file to delete',
    prompt: 'Delete old.log, nothing else.',
    files: { 'old.log': 'x\n', 'new.log': 'y\n' },
    choices: [
      { tool: 'sandbox_file', holds: /"operation":"delete".*old\.log/ },
      ...bash(/old\.log/),
    ],
    call: { name: 'sandbox_file', arguments: { operation: 'delete', path: 'old.log' } },
  },
  {
    name: 'a page to read',
    prompt: 'Read the page http://127.0.0.1:9/printer and tell me what it says about the printer.',
    choices: [{ tool: 'fetch_page', holds: /127\.0\.0\.1:9\/printer/ }],
    call: { name: 'fetch_page', arguments: { url: 'http://127.0.0.1:9/printer' } },
  },
  {
    name: 'something that only the user knows',
    prompt: 'Ask me for my favourite colour before you do anything else; you will need it.',
    choices: [{ tool: 'ask_user', holds: /colou?r/i }],
    call: { name: 'ask_user', arguments: { question: 'What is your favourite colour?' } },
  },
  {
    name: 'something to search the web for',
    prompt: 'Search the web for the newest release of the Linux kernel.',
    choices: [{ tool: 'web_search', holds: /linux|kernel/i }],
    call: { name: 'web_search', arguments: { query: 'newest Linux kernel release' } },
    tools: ['web_search'],
  },
  {
    name: 'a question that needs no tool',
    prompt: 'What is the capital of France? One word.',
    choices: [],
    call: 'Paris.',
  },
];

/** Whether the first call of a run is acceptable. The run is stopped there. */
export const TOOL_CHOICE: EvalSet = {
  name: 'tool_choice',
  tasks: () => CHOICES.map(toTask),
};

function toTask({ name, prompt, files, choices, call, tools }: ToolChoice): AppTask {
  return {
    name,
    prompt,
    until: isCall,
    files,
    tools,
    check: (outcome) => firstCall(outcome, choices),
    script: [{ steps: [typeof call === 'string' ? { text: call } : { call }] }],
  };
}

function isCall({ type }: RunEvent): boolean {
  return type === 'tool_call';
}

function firstCall({ events, answer }: Outcome, choices: readonly Choice[]): Verdict {
  const call = events.find((event) => event.type === 'tool_call');
  if (call === undefined) {
    if (choices.length > 0) return `called nothing instead of ${choices[0]?.tool}`;
    return answer.trim() === '' ? 'said nothing' : null;
  }
  const given = sorted(call.arguments);
  const isRight = choices.some(
    ({ tool, holds }) => tool === call.name && (holds === undefined || holds.test(given)),
  );
  if (isRight) return null;
  return `called ${call.name} with ${given} instead of ${choices[0]?.tool ?? 'nothing'}`;
}

/** Arguments as JSON, sorted by name. */
function sorted(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}
