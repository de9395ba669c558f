import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { parseStep } from '#main/base/step-path.ts';
import type { SandboxProvider } from '#main/sandbox/types.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import type { SearchService } from '#main/search/types.ts';
import type { ToolParts } from '#main/tools/define-tool.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import type { CallResult } from '#main/tools/tool-pipeline.ts';
import { memoryProofStore } from '../main/sandbox/fake-provider.ts';
import { type TestEgressOptions, testEgress } from './egress.ts';
import { noSearch } from './fake-search.ts';
import { toolBench } from './fake-tools.ts';
import { inlineDocuments } from './inline-documents.ts';
import { noApps } from './no-apps.ts';
import { noBrowsers } from './no-browsers.ts';
import { noEdits } from './no-edits.ts';
import { noImages } from './no-images.ts';
import { noPictures, noScans } from './no-pictures.ts';
import { noSkills } from './no-skills.ts';
import { noSlides } from './no-slides.ts';

export interface SandboxBenchOptions extends TestEgressOptions {
  /** A provider whose own files lie in the folder. */
  readonly provider: (dir: string) => SandboxProvider;
  readonly network?: NetworkPolicy;
  readonly allowHosts?: readonly string[];
  readonly bench?: Parameters<typeof toolBench>[0];
  readonly search?: SearchService;
  readonly documents?: ToolParts['documents'];
}

/** Every tool of the app over a real sandbox, the real pipeline and the real broker. */
export async function sandboxBench(options: SandboxBenchOptions) {
  const { network = 'open', allowHosts = [], provider } = options;
  // In the home, where secrets are; a folder for temporary files would be hidden anyway.
  const dir = await mkdtemp(join(homedir(), '.hyperagent-test-'));
  const manager = new UnifiedSandboxManager({
    providers: [provider(dir)],
    workspaceDir: (taskId) => join(dir, 'workspaces', taskId),
    proofs: memoryProofStore(),
    settings: () => Settings.parse({}),
    clock: systemClock,
    logger: silentLogger,
  });
  const tools = toolBench({ approve: 'all', ...options.bench });
  const egress = testEgress(options);
  const run = egress.egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts });
  const sandbox = manager.forTask('thr_1', 'auto');
  const way = sandbox.openNetwork(run.client('sandbox'));
  const known = new ToolCatalogue({
    pictures: noPictures,
    browsers: noBrowsers,
    scans: noScans,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    skills: noSkills(),
    commandTimeoutMs: () => 120_000,
    search: options.search ?? noSearch,
    library: null,
    documents: options.documents ?? inlineDocuments,
  }).byName;
  let count = 0;
  return {
    ...{ dir, manager, egress, run, sandbox, way, tools },
    events: tools.events as readonly RunEventDraft[],
    /** Makes one call as the model would, and gives its result. */
    call: async (
      name: string,
      given: Record<string, unknown>,
      /** Under the number of an earlier call: that step is done again. */
      again?: number,
    ): Promise<CallResult> => {
      count = again ?? count + 1;
      const [result] = await executeToolBatch(
        [{ id: `call_${count}`, name, arguments: given }],
        { ...tools.context, sandbox, egress: run, answer: parseStep(String(count)) },
        { pipeline: tools.pipeline, tools: known },
      );
      if (result === undefined) throw new Error('The call has no result');
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      way[Symbol.dispose]();
      run[Symbol.dispose]();
      await manager[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
