import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy, PolicyLevel } from '#contract/vocabulary.ts';
import type { ShownForm } from '#main/browser/types.ts';
import { hostsNamedIn } from '#main/egress/named-hosts.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import type { BrowserToolParts } from '#main/tools/browser-tool.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import type { CallContext } from '#main/tools/tool-pipeline.ts';
import { testEgress } from './egress.ts';
import { noSearch } from './fake-search.ts';
import { FakeTaskBrowser } from './fake-task-browser.ts';
import { toolBench } from './fake-tools.ts';
import { inlineDocuments } from './inline-documents.ts';
import { noApps } from './no-apps.ts';
import { noBrowsers } from './no-browsers.ts';
import { noEdits } from './no-edits.ts';
import { noImages } from './no-images.ts';
import { noScans } from './no-pictures.ts';
import { noSkills } from './no-skills.ts';
import { noSlides } from './no-slides.ts';
import { call } from './scripted-chat-model.ts';

/** A form that pays, with a field that is masked. */
export const ORDER: ShownForm = {
  method: 'post',
  action: 'https://shop.example/order',
  isSearch: false,
  fields: [
    { name: 'Street', value: 'Example Road 1' },
    { name: 'Card number', value: '••••••••' },
    { name: 'Note', value: '' },
  ],
};

/** Files of a workspace in memory, without links. */
function files(stored: Record<string, string>): TaskSandbox {
  const workspace = {
    pathOf: (path: string) => path,
    withoutLinks: () => workspace,
    read: async (path: string, most: number) => {
      const data = Buffer.from(stored[path] ?? '');
      return { data: data.subarray(0, most), size: data.byteLength };
    },
    importFile: async (hostPath: string, name: string, folder: string) => {
      stored[`${folder}/${name}`] = hostPath;
      return `${folder}/${name}`;
    },
  };
  return { workspace } as unknown as TaskSandbox;
}

/** The real tools and pipeline over a browser that only writes down what it does. */
export function browserBench({
  network = 'open' as NetworkPolicy,
  level = null as PolicyLevel | null,
  named = 'shop.example',
  isTainted = false,
  approve = 'ask' as CallContext['approve'],
  stored = {} as Record<string, string>,
  browsers = null as BrowserToolParts['browsers'] | null,
  more = {} as Partial<CallContext>,
} = {}) {
  const browser = new FakeTaskBrowser();
  const pictures: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const { byName: tools } = new ToolCatalogue({
    browsers: browsers ?? { ...noBrowsers, forTask: () => browser },
    pictures: {
      add: async (_threadId, { name, bytes }) => {
        pictures.push({ name, bytes });
        return { name, sha256: 'a'.repeat(64), mimeType: 'image/png', width: 10, height: 10 };
      },
    },
    scans: noScans,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    skills: noSkills(),
    commandTimeoutMs: () => 1000,
    ...{ search: noSearch, library: null, documents: inlineDocuments },
  });
  const bench = toolBench({ approve, level });
  if (isTainted) bench.context.taint.add('page.example');
  const { egress } = testEgress({
    settings: { current: Settings.parse({ egress: 'open', egressHosts: [] }) },
    rules: bench.rules.list,
  });
  const run = egress.forRun({
    ...{ runId: 'run_1', threadId: 'thr_1', network, allowHosts: ['shop.example'] },
    narrowing: {
      isOn: () => bench.context.taint.sources().length > 0,
      named: hostsNamedIn(named),
    },
  });
  const context: CallContext = { ...bench.context, egress: run, sandbox: files(stored), ...more };
  const start = (...calls: (readonly [name: string, given?: Record<string, unknown>])[]) =>
    executeToolBatch(
      calls.map(([name, given = {}], i) => call(`c${i}`, name, given)),
      context,
      { pipeline: bench.pipeline, tools },
    );
  const answer = async (action: 'approve' | 'deny' = 'approve') => {
    const question = await bench.openQuestion();
    const argumentsSha256 = question.argumentsSha256 ?? '';
    bench.broker.respond(
      'run_1',
      question.interruptId,
      action === 'approve' ? { action, argumentsSha256, always: false } : { action, reason: 'No.' },
    );
    return question;
  };
  /** How many different ones were asked: the log drops what is told again. */
  const questions = () =>
    new Set(bench.events.flatMap((one) => (one.type === 'interrupt' ? [one.interruptId] : [])))
      .size;
  return { ...bench, browser, pictures, egress: run, context, start, answer, questions, tools };
}
