import type { RunEventDraft } from '#contract/events/run-event.ts';

/** A run as the app logs it: a CSV is totalled by region and drawn. For windows without a main. */

export const SALES_CSV = [
  'date,region,product,units,revenue',
  '2026-09-01,North,Standard,14,1260.50',
  '2026-09-01,South,Standard,9,810.00',
  '2026-09-02,East,Premium,4,1196.00',
  '2026-09-02,West,Standard,21,1890.00',
  '2026-09-03,North,Premium,7,2093.00',
  '2026-09-03,South,"Premium, gift box",3,957.00',
  '2026-09-04,West,Premium,5,1495.00',
  '2026-09-04,East,Standard,11,990.00',
].join('\n');

export const CHART_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" width="640" height="360" font-family="sans-serif" font-size="14">
<rect width="640" height="360" fill="#fff"/><text x="24" y="34" font-size="18" fill="#222">Revenue by region, September 2026</text>
<g stroke="#ddd"><path d="M80 300H610M80 230H610M80 160H610M80 90H610"/></g>
<g fill="#0b6b60"><rect x="110" y="96" width="80" height="204"/><rect x="240" y="95" width="80" height="205"/><rect x="370" y="168" width="80" height="132"/><rect x="500" y="193" width="80" height="107"/></g>
<g fill="#444" text-anchor="middle"><text x="150" y="324">West</text><text x="280" y="324">North</text><text x="410" y="324">East</text><text x="540" y="324">South</text></g>
<g fill="#777" text-anchor="end"><text x="70" y="304">0</text><text x="70" y="234">1,000</text><text x="70" y="164">2,000</text><text x="70" y="94">3,000</text></g></svg>`;

const CODE = `import pandas as pd
import matplotlib.pyplot as plt

sales = pd.read_csv("sales.csv")
totals = sales.groupby("region")["revenue"].sum().sort_values(ascending=False)
print(totals.to_string())

totals.plot.bar(color="#0b6b60", title="Revenue by region, September 2026")
plt.tight_layout()
plt.savefig("sales-by-region.svg")
print("saved sales-by-region.svg")`;

const ANSWER = `West and North are almost level and bring in **63 %** of all revenue. South is the weakest region.

| Region | Revenue | Share |
|---|---:|---:|
| West | 3,385.00 | 31.7 % |
| North | 3,353.50 | 31.4 % |
| East | 2,186.00 | 20.4 % |
| South | 1,767.00 | 16.5 % |

![Revenue by region](sales-by-region.svg)

What I did:

1. Read \`sales.csv\` (8 rows, no gaps).
2. Summed \`revenue\` by \`region\`.
3. Drew the totals and saved them as [sales-by-region.svg](sales-by-region.svg).

To draw it again later:

\`\`\`python
totals.plot.bar(title="Revenue by region")
\`\`\`

The [pandas guide](https://pandas.pydata.org/docs/user_guide/groupby.html) explains grouping in more depth.
`;

/** SHA-256 of nothing in particular: a fake checks that it comes back unchanged. */
export const FAKE_SHA = 'ab'.repeat(32);

export const EXECUTE_ARGUMENTS = { language: 'python', code: CODE };

/** The drafts up to the approval, and those after it. */
export const CSV_RUN: { readonly before: RunEventDraft[]; readonly after: RunEventDraft[] } = {
  before: [
    {
      type: 'workspace_update',
      operation: 'create',
      path: 'sales.csv',
      size: 338,
      origin: 'attachment',
    },
    {
      type: 'stage',
      name: 'model_loading',
      status: 'running',
      description: 'Loading the model, 1 s',
    },
    {
      type: 'stage',
      name: 'model_loading',
      status: 'running',
      description: 'Loading the model, 2 s',
    },
    {
      type: 'stage',
      name: 'model_loading',
      status: 'completed',
      description: 'The model is answering',
    },
    ...pieces(
      'reasoning',
      'm1',
      'The person wants totals by region and a chart. I should look at the columns first: date, region, product, units, revenue. Pandas can group by region and sum the revenue. Then a bar chart, saved as a file so that it shows in the chat.',
    ),
    ...pieces(
      'token',
      'm1',
      'I will total the revenue by region with pandas and draw a bar chart.\n',
    ),
    usage(1, 2210),
    {
      type: 'interrupt',
      interruptId: 'q1',
      kind: 'approval',
      title: 'Run this Python code?',
      message:
        'It runs inside the sandbox of this task: it can change the files of the task and nothing else.',
      toolCallId: 'call-1',
      toolName: 'execute_code',
      risk: 'high',
      reasons: ['The program writes a file into the workspace.'],
      argumentsText: JSON.stringify({ code: CODE, language: 'python' }),
      argumentsSha256: FAKE_SHA,
      rulePattern: JSON.stringify({ code: CODE, language: 'python' }),
      rulePatterns: [{ match: 'arguments', pattern: '{"code":*,"language":"python"}' }],
      options: [],
      attentionMs: 120_000,
    },
  ],
  after: [
    {
      type: 'tool_call',
      toolCallId: 'call-1',
      name: 'execute_code',
      arguments: EXECUTE_ARGUMENTS,
      risk: 'high',
      effect: 'opaque',
      agent: 'executor',
      round: 1,
    },
    {
      type: 'terminal_command',
      commandId: 'cmd-1',
      toolCallId: 'call-1',
      command: CODE,
      language: 'python',
      cwd: '/workspace',
    },
    {
      type: 'terminal_output',
      commandId: 'cmd-1',
      offset: 0,
      text: 'region\nWest     3385.00\nNorth    3353.50\n',
    },
    {
      type: 'terminal_output',
      commandId: 'cmd-1',
      offset: 41,
      text: 'East     2186.00\nSouth    1767.00\n',
    },
    {
      type: 'terminal_error',
      commandId: 'cmd-1',
      offset: 0,
      text: 'UserWarning: Matplotlib is building the font cache\n',
    },
    {
      type: 'terminal_output',
      commandId: 'cmd-1',
      offset: 75,
      text: 'saved sales-by-region.svg\n',
    },
    {
      type: 'terminal_complete',
      commandId: 'cmd-1',
      outcome: 'completed',
      exitCode: 0,
      durationMs: 1840,
    },
    {
      type: 'code_result',
      toolCallId: 'call-1',
      language: 'python',
      outcome: 'completed',
      exitCode: 0,
      stdout:
        'region\nWest     3385.00\nNorth    3353.50\nEast     2186.00\nSouth    1767.00\nsaved sales-by-region.svg\n',
      stderr: 'UserWarning: Matplotlib is building the font cache\n',
      durationMs: 1840,
    },
    {
      type: 'workspace_update',
      operation: 'create',
      path: 'sales-by-region.svg',
      size: CHART_SVG.length,
      origin: 'call-1',
    },
    {
      type: 'tool_result',
      toolCallId: 'call-1',
      name: 'execute_code',
      status: 'ok',
      content: 'region\nWest 3385.00 …',
      durationMs: 1840,
      sandboxLevel: 'bubblewrap',
    },
    ...pieces('token', 'm2', ANSWER),
    usage(2, 2874),
    {
      type: 'complete',
      outcome: 'completed',
      answer: ANSWER,
      durationMs: 9420,
      rounds: 2,
      toolCalls: 1,
    },
  ],
};

/** A text as a model streams it: some characters at a time, cut anywhere. */
export function pieces(
  type: 'token' | 'reasoning',
  messageId: string,
  text: string,
): RunEventDraft[] {
  const drafts: RunEventDraft[] = [];
  for (let from = 0; from < text.length; ) {
    const length = 3 + ((from * 7) % 9);
    drafts.push({ type, messageId, text: text.slice(from, from + length) });
    from += length;
  }
  return drafts;
}

function usage(round: number, promptTokens: number): RunEventDraft {
  return {
    type: 'usage',
    round,
    model: 'qwen3:8b',
    promptTokens,
    completionTokens: 180,
    contextWindow: 16_384,
    durationMs: 2100,
    parts: { system: 640, tools: 820, history: promptTokens - 1460, reserve: 4096 },
    prefix: { hit: true, bytes: 5210 },
  };
}

/** How the run ends where its call was denied. */
export function deniedRun(toolCallId: string, reason: string): readonly RunEventDraft[] {
  const answer = 'Then I leave it at that.';
  return [
    {
      ...{ type: 'tool_result', toolCallId, name: 'execute_code', status: 'denied', durationMs: 0 },
      content: `The user did not allow this call: ${reason}`,
    },
    { type: 'token', messageId: 'denied', text: answer },
    {
      ...{ type: 'complete', outcome: 'completed', answer, durationMs: 10, rounds: 1 },
      toolCalls: 1,
    },
  ];
}
