import type { EgressConnection } from '#contract/egress.ts';
import type {
  Message,
  ModelServer,
  ModelSummary,
  Run,
  SetupReport,
  Thread,
} from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import { CHART_SVG, CSV_RUN, FAKE_SHA, pieces, SALES_CSV } from './csv-run.ts';
import type { FakeBridge, FakeState } from './fake-bridge.ts';
import { fakeLocalModels } from './fake-local-models.ts';
import { fakeThread } from './fake-thread.ts';

const HOUR = 3_600_000;

/** A window's world with some history: tasks of several days, one of each ending. */
export function fakeState(now: number): FakeState {
  return {
    settings: Settings.parse({
      model: { provider: 'ollama', name: 'qwen3:8b' },
      servers: [{ name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' }],
      network: 'offline',
      egressHosts: ['pypi.org'],
      checkupSeen: true,
    }),
    servers: fakeServers(),
    setupCheck: fakeSetupCheck(),
    localModels: fakeLocalModels(),
    programs: new Map(),
    threads: fakeThreads(now),
    messages: [],
    runs: [],
    files: new Map([
      ['sales.csv', { mimeType: 'text/csv', encoding: 'utf8', data: SALES_CSV }],
      ['sales-by-region.svg', { mimeType: 'image/svg+xml', encoding: 'utf8', data: CHART_SVG }],
      [
        'scripts/total.py',
        {
          mimeType: 'text/x-python',
          encoding: 'utf8',
          data: 'import csv\n\n\ndef total(path: str) -> dict[str, float]:\n    """Revenue by region."""\n    totals: dict[str, float] = {}\n    with open(path) as file:\n        for row in csv.DictReader(file):\n            totals[row["region"]] = totals.get(row["region"], 0) + float(row["revenue"])\n    return totals\n',
        },
      ],
    ]),
    rules: [
      {
        ...{ id: 'rule-1', toolName: 'execute_code', pattern: '{"code":*,"language":"python"}' },
        ...{ match: 'arguments', decision: 'approve', threadId: null, createdAt: now },
      },
    ],
    secrets: ['lm-studio'],
    keyStorage: 'the keychain of the desktop',
    connections: fakeConnections(now),
    policy: null,
  };
}

function fakeThreads(now: number): Thread[] {
  const rows: readonly (readonly [string, string, number, Thread['status']])[] = [
    ['t-sales', 'Sales by region with a chart', 0.1, 'completed'],
    ['t-wait', 'Clean up the photo archive', 1, 'waiting'],
    ['t-run', 'Compare three ways to sort a million rows', 1.5, 'running'],
    ['t-fail', 'Fetch the weather of the last ten years', 26, 'failed'],
    ['t-unverified', 'Translate the handbook into plain English', 28, 'unverified'],
    ['t-cancel', 'Largest prime below ten million', 75, 'cancelled'],
    [
      't-old',
      'Invoice template with automatic totals and a very long title that does not fit',
      700,
      'completed',
    ],
  ];
  return rows.map(([id, title, hours, status]) => {
    const at = now - hours * HOUR;
    return fakeThread({ id, title, at, status });
  });
}

function model(provider: string, name: string, more: Partial<ModelSummary>): ModelSummary {
  return {
    ...{ provider, name, contextWindow: 40_960, tools: true, vision: false, thinking: true },
    ...{ cloud: false, size: 5_200_000_000, ...more },
  };
}

function fakeServers(): ModelServer[] {
  return [
    {
      ...{ provider: 'ollama', label: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
      ...{ reachable: true, problem: null },
      models: [
        model('ollama', 'qwen3:8b', {}),
        model('ollama', 'llama3.2:3b', { contextWindow: 131_072, size: 2_000_000_000 }),
        model('ollama', 'gemma:2b', { tools: false, contextWindow: 8192, size: 1_700_000_000 }),
        model('ollama', 'gpt-oss:120b-cloud', { cloud: true, contextWindow: 131_072, size: null }),
      ],
    },
    {
      ...{ provider: 'lm-studio', label: 'lm-studio', kind: 'openai-compatible' },
      ...{ baseUrl: 'http://127.0.0.1:1234/v1', reachable: false, models: [] },
      problem:
        'nothing answers at http://127.0.0.1:1234/v1. Start it, or correct the address in the settings.',
    },
    {
      ...{
        provider: 'demo',
        label: 'Demonstration (scripted, no model)',
        kind: 'demo',
        baseUrl: '',
      },
      ...{ reachable: true, problem: null },
      models: [model('demo', 'scripted', { contextWindow: null, size: null })],
    },
  ];
}

function fakeSetupCheck(): SetupReport {
  const probes = [
    ['write outside', 'a file next to the workspace was not written'],
    ['read a secret', 'the canary in the home folder was not found'],
    ['connect out', 'no route to any address'],
    ['reach the Docker socket', 'no such file'],
  ].map(([name = '', detail = '']) => ({ name, held: true, detail }));
  return {
    version: '0.1.0',
    verdict: {
      ready: true,
      text: 'Ready: ollama:qwen3:8b answers, and code runs in a checked sandbox (os).',
    },
    servers: fakeServers(),
    sandboxes: [
      {
        ...{ kind: 'docker', available: false, detail: 'The engine does not answer.', probes: [] },
        remedy:
          'Start Docker, then check again. Until then the sandbox of the operating system is used.',
      },
      { kind: 'os', available: true, detail: 'bubblewrap 0.8.0', remedy: null, probes },
    ],
    items: [
      { id: 'browser', label: 'Browser', status: 'ok', detail: 'Chromium 142', remedy: null },
      {
        id: 'data',
        label: 'Data folder',
        status: 'ok',
        detail: '~/.local/share/hyperagent, 41 GB free',
        remedy: null,
      },
    ],
  };
}

export function fakeRun(id: string, threadId: string, more: Partial<Run>): Run {
  return {
    ...{ id, threadId, status: 'completed', prompt: '' },
    options: {
      ...{ mode: 'task', model: { provider: 'ollama', name: 'qwen3:8b' }, sandbox: 'auto' },
      ...{
        network: 'offline',
        allowHosts: [],
        executionMode: 'standard',
        approve: 'ask',
        timeoutSeconds: null,
      },
    },
    ...{ createdAt: 0, startedAt: 0, endedAt: null, lastSeq: 0, error: null },
    origin: null,
    ...more,
  };
}

/** Gives the tasks of `fakeState` their runs. */
export function addHistory(bridge: FakeBridge, now: number): void {
  const add = (
    threadId: string,
    prompt: string,
    more: Partial<Run>,
    drafts: readonly RunEventDraft[],
  ): void => {
    const run = fakeRun(`run-${threadId}`, threadId, { prompt, createdAt: now, ...more });
    const message: Message = {
      ...{ id: `m-${threadId}`, threadId, runId: run.id, role: 'user', content: prompt },
      ...{ attachments: [], createdAt: now },
    };
    if (threadId === 't-sales') {
      message.attachments.push({ name: 'sales.csv', path: 'sales.csv', size: SALES_CSV.length });
    }
    bridge.state.messages.push(message);
    bridge.addLog(run, drafts);
  };
  const approval: RunEventDraft = {
    ...{ type: 'interrupt_response', interruptId: 'q1', by: 'person' },
    response: { action: 'approve', argumentsSha256: FAKE_SHA, always: false },
  };
  const said = 'Total the sales in this CSV by region and draw a chart';
  add('t-sales', said, {}, [...CSV_RUN.before, approval, ...CSV_RUN.after]);
  add('t-wait', 'Clean up the photo archive', { status: 'waiting' }, CLEAN_UP);
  add('t-fail', 'Fetch the weather of the last ten years', { status: 'failed' }, [
    ...pieces('token', 'm1', 'I will look for the data first.\n\n'),
    {
      ...{ type: 'error', code: 'MODEL_STREAM_BROKEN', details: {} },
      message:
        'The answer of ollama:qwen3:8b broke off: the connection was reset after 31 characters.',
      kept: 'The text so far, and the files in the workspace.',
    },
  ]);
  add('t-unverified', 'Translate the handbook into plain English', { status: 'unverified' }, [
    ...pieces('token', 'm1', 'The handbook is translated; the glossary is still missing.'),
    {
      ...{ type: 'complete', outcome: 'unverified', durationMs: 48_200, rounds: 4, toolCalls: 3 },
      answer: 'The handbook is translated; the glossary is still missing.',
    },
  ]);
  add('t-cancel', 'Largest prime below ten million', { status: 'cancelled' }, [
    ...pieces('token', 'm1', 'A sieve will do'),
    { type: 'error', code: 'CANCELLED', message: 'You stopped this run.', details: {} },
  ]);
}

const CLEAN_UP: readonly RunEventDraft[] = [
  ...pieces(
    'token',
    'm1',
    'There are 214 photos; 12 of them are duplicates. I would move those into a folder of their own.',
  ),
  {
    ...{ type: 'interrupt', interruptId: 'q-wait', kind: 'decision', title: 'A question' },
    message: 'Where should the 12 duplicates go?',
    ...{ toolCallId: 'call-ask', toolName: 'ask_user', reasons: [], attentionMs: 300_000 },
    options: [
      { value: 'folder', label: 'Into a folder called “duplicates”' },
      { value: 'delete', label: 'Delete them', description: 'They are gone for good' },
      { value: 'leave', label: 'Leave them where they are' },
    ],
  },
];

/** One of each verdict. */
function fakeConnections(now: number): EgressConnection[] {
  const line = { runId: 'run-t-sales', actor: 'sandbox', port: 443, reason: null } as const;
  return [
    {
      ...{ ...line, id: 3, at: now - 1_000, endedAt: now - 1_000, host: 'example.com' },
      ...{ address: null, verdict: 'denied', reason: 'not_listed' },
      ...{ sentBytes: 0, receivedBytes: 0 },
    },
    {
      ...{ ...line, id: 2, at: now - 4_000, endedAt: now - 2_000, host: 'files.pythonhosted.org' },
      ...{ address: '151.101.128.223', verdict: 'allowed' },
      ...{ sentBytes: 1_204, receivedBytes: 4_803_211 },
    },
    {
      ...{ ...line, id: 1, at: now - 5_000, endedAt: now - 3_000, host: 'pypi.org' },
      ...{ address: '151.101.0.223', verdict: 'allowed' },
      ...{ sentBytes: 811, receivedBytes: 31_004 },
    },
  ];
}
