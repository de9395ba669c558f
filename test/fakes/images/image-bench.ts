import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ImageProgressNotice } from '#contract/images.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { parseStep } from '#main/base/step-path.ts';
import { ImageService } from '#main/images/image-service.ts';
import type { ImageLimits } from '#main/images/types.ts';
import { PictureDecoder } from '#main/pictures/picture-decoder.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { tool as generateImageTool } from '#main/tools/definitions/generate-image.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import type { ToolLedger } from '#main/tools/tool-pipeline.ts';
import { testEgress } from '../egress.ts';
import { knownTools, noLedger, toolBench } from '../fake-tools.ts';

export interface ImageBenchOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<ImageLimits>;
  readonly env?: Readonly<Record<string, string>>;
  readonly services?: ConstructorParameters<typeof ImageService>[0]['services'];
  readonly network?: NetworkPolicy;
  readonly bench?: Parameters<typeof toolBench>[0];
  readonly ledger?: ToolLedger;
}

/** Nothing listens at port 1 of this computer. */
export const NOWHERE = 'http://127.0.0.1:1';

/** `generate_image` over a real folder, the real pipeline, the real decoder and real HTTP. */
export function imageBench(options: ImageBenchOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'hyperagent-images-'));
  const decoder = new PictureDecoder(process.cwd());
  onTestFinished(async () => {
    await decoder[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  });
  const settings = Settings.parse({
    imageServers: { 'sd-server': NOWHERE, webui: NOWHERE, comfyui: NOWHERE },
    ...options.settings,
  });
  const notices: ImageProgressNotice[] = [];
  const images = new ImageService({
    ...{ settings: () => settings, readSecret: () => null, decoder },
    ...{ secrets: new KnownSecrets(), env: options.env ?? {} },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.services === undefined ? {} : { services: options.services }),
    notify: (progress) => notices.push(progress),
  });
  const bench = toolBench({ ledger: options.ledger ?? noLedger, ...options.bench });
  const workspace = new HostWorkspace(dir);
  const network = options.network ?? 'open';
  const { egress } = testEgress({});
  const run = egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts: [] });
  onTestFinished(() => run[Symbol.dispose]());
  const sandbox = { workspace } as unknown as TaskSandbox;
  const tools = knownTools([generateImageTool({ images })]);
  let count = 0;
  const make = async (
    given: Readonly<Record<string, unknown>>,
    { signal = bench.context.signal, again }: { signal?: AbortSignal; again?: number } = {},
  ) => {
    count = again ?? count + 1;
    const [result] = await executeToolBatch(
      [{ id: `c${count}`, name: 'generate_image', arguments: { ...given } }],
      { ...bench.context, sandbox, signal, egress: run, answer: parseStep(String(count)) },
      { pipeline: bench.pipeline, tools },
    );
    if (result === undefined) throw new Error('The call has no result');
    return result;
  };
  return { ...bench, dir, images, notices, workspace, make, egress };
}
