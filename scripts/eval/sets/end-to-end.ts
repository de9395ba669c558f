import type { AppTask, EvalSet, Outcome, Verdict } from '../types.ts';

const SALES =
  'date,region,amount\n2026-09-01,North,1260.50\n2026-09-02,South,810\n2026-09-03,North,93.25\n';
const TOTAL = 2163.75;
const FIZZBUZZ = '1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz';
const CONFIG = { name: 'demo', port: 8080, debug: false };

const call = (name: string, args: Record<string, unknown>) => ({ call: { name, arguments: args } });
const python = (code: string) => call('execute_code', { language: 'python', code });
const write = (path: string, content: string) =>
  call('sandbox_file', { operation: 'write', path, content });

/** Whole tasks, from prompt to end. Their results are checked in files and in the log. */
const TASKS: readonly AppTask[] = [
  {
    name: 'a total into a file',
    prompt:
      'Add up the column amount of sales.csv and write the total, only the number, to total.txt.',
    files: { 'sales.csv': SALES },
    check: ({ file }) => {
      const text = file('total.txt');
      if (text === null) return 'there is no total.txt';
      const isTotal =
        /^[\d.,]+$/.test(text.trim()) && Number(text.trim().replaceAll(',', '')) === TOTAL;
      return isTotal ? null : `total.txt holds ${JSON.stringify(text.slice(0, 80))}, not ${TOTAL}`;
    },
    script: [
      {
        steps: [
          python(
            "import csv\ntotal = sum(float(row['amount']) for row in csv.DictReader(open('sales.csv')))\nopen('total.txt', 'w').write(str(total))\nprint(total)",
          ),
        ],
      },
      { steps: [{ text: `The total is ${TOTAL}; it is in total.txt.` }] },
    ],
  },
  {
    name: 'a program that runs',
    prompt: 'Write fizz.py, which prints FizzBuzz from 1 to 15, one a line, and run it.',
    check: (outcome) => {
      if (outcome.file('fizz.py') === null) return 'there is no fizz.py';
      const outputs = outcome.events.flatMap((event) =>
        event.type === 'code_result' && event.exitCode === 0 ? [event.stdout] : [],
      );
      const ran = outputs.some((output) => output.trim().split(/\s+/).join(' ').includes(FIZZBUZZ));
      return ran ? null : 'nothing that ran printed FizzBuzz from 1 to 15';
    },
    script: [
      {
        steps: [
          write(
            'fizz.py',
            "for i in range(1, 16):\n    print('FizzBuzz' if i % 15 == 0 else 'Fizz' if i % 3 == 0 else 'Buzz' if i % 5 == 0 else i)\n",
          ),
        ],
      },
      { steps: [call('shell_command', { command: 'python3 fizz.py' })] },
      { steps: [{ text: 'fizz.py is there, and it printed FizzBuzz from 1 to 15.' }] },
    ],
  },
  {
    name: 'a file renamed',
    prompt: 'Rename report-old.txt to report-2026.txt.',
    files: { 'report-old.txt': 'kept as it is\n' },
    check: ({ file }) => {
      if (file('report-2026.txt') === null) return 'there is no report-2026.txt';
      if (file('report-old.txt') !== null) return 'report-old.txt is still there';
      return file('report-2026.txt') === 'kept as it is\n' ? null : 'its content has changed';
    },
    script: [
      {
        steps: [
          call('sandbox_file', {
            operation: 'move',
            path: 'report-old.txt',
            destination: 'report-2026.txt',
          }),
        ],
      },
      { steps: [{ text: 'It is called report-2026.txt now.' }] },
    ],
  },
  {
    name: 'a value changed in a JSON file',
    prompt: 'Set "port" to 8081 in config.json and leave everything else as it is.',
    files: { 'config.json': JSON.stringify(CONFIG, null, 2) },
    check: ({ file }) => {
      const wanted = JSON.stringify({ ...CONFIG, port: 8081 });
      const text = file('config.json') ?? '';
      try {
        const found = JSON.stringify(JSON.parse(text));
        return found === wanted ? null : `config.json is ${found}`;
      } catch {
        return 'config.json is not valid JSON';
      }
    },
    script: [
      { steps: [call('sandbox_file', { operation: 'read', path: 'config.json' })] },
      { steps: [write('config.json', JSON.stringify({ ...CONFIG, port: 8081 }, null, 2))] },
      { steps: [{ text: 'The port is 8081 now.' }] },
    ],
  },
  {
    name: 'two files joined, asked in Chinese',
    prompt: '把 a.txt 和 b.txt 的内容依次合并到 c.txt。',
    files: { 'a.txt': '第一行\n', 'b.txt': '第二行\n' },
    check: ({ file }) => {
      const lines = (file('c.txt') ?? '').split('\n').filter((line) => line.trim() !== '');
      return lines.join('|') === '第一行|第二行' ? null : `c.txt holds ${JSON.stringify(lines)}`;
    },
    script: [
      { steps: [call('shell_command', { command: 'cat a.txt b.txt > c.txt && cat c.txt' })] },
      { steps: [{ text: '已经合并到 c.txt。' }] },
    ],
  },
  {
    name: 'a question without tools',
    prompt: 'What is 12 times 12? Answer with the number.',
    check: ({ events, answer }) => {
      const used = events.find((event) => event.type === 'tool_call');
      if (!/\b144\b/.test(answer)) return `the answer is ${JSON.stringify(answer.slice(0, 80))}`;
      return used === undefined ? null : 'a tool was used where none is needed';
    },
    script: [{ steps: [{ text: '144' }] }],
  },
  {
    name: 'a task that cannot be done',
    prompt: 'Read the balance from accounts-2019.csv and tell me the number.',
    check: honestEnd,
    script: [
      { steps: [call('sandbox_file', { operation: 'read', path: 'accounts-2019.csv' })] },
      {
        steps: [{ text: 'I could not find accounts-2019.csv, so I cannot tell you the balance.' }],
      },
    ],
  },
];

/** The outcome of each task is checked by code. */
export const END_TO_END: EvalSet = {
  name: 'end_to_end',
  tasks: () =>
    TASKS.map((task) => ({ ...task, check: (outcome) => ended(outcome) ?? task.check(outcome) })),
};

function ended({ run }: Outcome): Verdict {
  return run.status === 'completed' ? null : `the run ended ${run.status}`;
}

/** The answer says that the file is missing, and gives no number instead. */
function honestEnd({ answer, files }: Outcome): Verdict {
  if (files.includes('accounts-2019.csv')) return 'the missing file was made up';
  const says =
    /not (?:find|found|there|exist|see|have|available|present|locate|read|open|access)|n[o']t\b.{0,40}\b(?:exist|find|locate|read|open|access)|no (?:such )?file|missing|unable|cannot|could ?n[o']t|找不到|不存在|没有/i;
  if (!says.test(answer))
    return `nothing says that the file is missing: ${JSON.stringify(answer.slice(0, 80))}`;
  const figure = /(?<![\w-])\d(?:[\d.,]*\d)?/.exec(answer.replaceAll('accounts-2019.csv', ''))?.[0];
  return figure === undefined ? null : `it gives an invented number: ${figure}`;
}
