import type { ScriptStep, ScriptTurn } from '../script/script.ts';
import { TOTALS_PROGRAM } from './totals-program.ts';

/** An attached table in the user's message: captures the request, and the path of the file. */
const WITH_TABLE =
  '^(?<ask>[^]*?)\\n\\n<context>[^]*?^- (?<csv>/workspace/[^\\n]+?\\.(?:csv|tsv|txt)) \\(';
const ABOUT_DATA = '^(?<ask>[^]*\\b(?:csv|sales|chart|totals?|table|data|plot|graph)\\b[^]*)$';
const PRINTED_TABLE = '(?<table>^\\|[^\\n]*\\|\\n(?:^\\|[^\\n]*\\|\\n?)+)';

const LABEL =
  '*This is a demonstration: a script answers here, not a model. The tools it uses are real.*';

const SAMPLE_CSV = `date,region,product,sales
2026-01-08,North,Kettle,1240.50
2026-01-15,South,Kettle,980.00
2026-01-21,West,Lamp,1415.25
2026-02-03,East,Lamp,760.00
2026-02-11,North,Chair,2310.00
2026-02-19,South,Chair,1875.40
2026-03-02,West,Kettle,640.75
2026-03-09,East,Chair,1530.00
2026-03-17,North,Lamp,890.20
2026-03-26,West,Chair,2045.00
`;

const PROGRAM_STEP: ScriptStep = {
  call: { name: 'execute_code', arguments: { language: 'python', code: TOTALS_PROGRAM } },
};

/** The same program for the file that the script has written. */
const SAMPLE_PROGRAM_STEP: ScriptStep = {
  call: {
    name: 'execute_code',
    arguments: {
      language: 'python',
      code: TOTALS_PROGRAM.replace('{{csv|json}}', '"/workspace/sales.csv"'),
    },
  },
};

const SUMMARY = `The program ran in the sandbox and printed this:

{{table}}
The chart is \`chart.png\` in the files of this task.

${LABEL} To use a real model instead, install [Ollama](https://ollama.com/download), run \`ollama pull qwen3:8b\`, and choose it in the model picker.`;

/**
 * What the demonstration can do. Every turn may be played again: the choice depends only on the
 * conversation, so a resumed or repeated run takes the same path.
 */
export const DEMO_TURNS: readonly ScriptTurn<ScriptStep>[] = [
  {
    times: 'always',
    when: { round: 0, user: WITH_TABLE },
    steps: [
      { thinking: 'The script sees a table among the attached files. ' },
      { thinking: 'It will total its numbers by a column and draw a chart.' },
      {
        text: `${LABEL}\n\nI will read the attached table with Python, total it by group, and draw the totals.`,
      },
      PROGRAM_STEP,
    ],
  },
  {
    times: 'always',
    when: { round: 1, user: WITH_TABLE, result: PRINTED_TABLE },
    steps: [{ text: SUMMARY }],
  },
  {
    times: 'always',
    when: { round: 0, user: ABOUT_DATA },
    steps: [
      { thinking: 'No table is attached, so the script makes a small one of its own.' },
      {
        text: `${LABEL}\n\nNo table is attached, so I will write a small one of made-up sales first.`,
      },
      {
        call: {
          name: 'sandbox_file',
          arguments: { operation: 'write', path: 'sales.csv', content: SAMPLE_CSV },
        },
      },
    ],
  },
  {
    times: 'always',
    when: { round: 1, user: ABOUT_DATA, tool: 'sandbox_file' },
    steps: [{ text: 'Now I will total it with Python and draw a chart.' }, SAMPLE_PROGRAM_STEP],
  },
  {
    times: 'always',
    when: { round: 2, user: ABOUT_DATA, result: PRINTED_TABLE },
    steps: [{ text: SUMMARY }],
  },
  {
    times: 'always',
    when: { round: 0, user: '\\S' },
    steps: [
      { thinking: 'The script has no answer to this, so it shows what the app can do.' },
      {
        text: `${LABEL}\n\nA script cannot answer that. It can show you how the app works: I will run one harmless command in the sandbox.`,
      },
      {
        call: {
          name: 'shell_command',
          arguments: { command: 'echo "Hello from inside the sandbox"; pwd; ls -la' },
        },
      },
    ],
  },
  {
    times: 'always',
    when: { round: 1, tool: 'shell_command' },
    steps: [
      {
        text: `The command ran inside the sandbox. This is all that it could see:

\`\`\`
{{result}}
\`\`\`

A few things to look at while you are here:

- **Terminal**, on the right: the command and its output, as it was printed.
- **Files**: the workspace of this task. Nothing outside it can be written.
- Attach a CSV and ask for its totals: the script can do that for any table.

For your own tasks, the app needs a model. On this machine: install [Ollama](https://ollama.com/download), run \`ollama pull qwen3:8b\` (about 5 GB; \`qwen3:4b\` for less memory), and choose it in the model picker. LM Studio, llama.cpp, vLLM and Jan work as well.`,
      },
    ],
  },
  {
    times: 'always',
    when: { result: '\\S' },
    steps: [
      {
        text: `That did not go as the script expected, and a script cannot try something else. The result of the tool:

\`\`\`
{{result}}
\`\`\`

${LABEL}`,
      },
    ],
  },
];
