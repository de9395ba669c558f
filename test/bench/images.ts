import { setTimeout as sleep } from 'node:timers/promises';
import { ImageHttp } from '#main/images/image-http.ts';
import { comfyui } from '#main/images/providers/comfyui.ts';
import { openAiImages } from '#main/images/providers/openai-images.ts';
import { sdServer } from '#main/images/providers/sd-server.ts';
import { webui } from '#main/images/providers/webui.ts';
import type { ImageOrder, ImageProvider } from '#main/images/types.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import { startFakeComfyui } from '../fakes/images/fake-comfyui.ts';
import type { FakeImageServer } from '../fakes/images/fake-image-server.ts';
import { startFakeOpenAiImages } from '../fakes/images/fake-openai-images.ts';
import { startFakeSdServer } from '../fakes/images/fake-sd-server.ts';
import { startFakeWebui } from '../fakes/images/fake-webui.ts';

/**
 * From a cancel to its arrival at the image server (for a service: to the closed connection), in the middle of a picture,
 * beside a request to the same server that does nothing.
 *
 *   npm run bench images
 */
const REPEATS = 20;
const ORDER: ImageOrder = {
  ...{ operation: 'create', prompt: 'A fox', negativePrompt: '', width: 1_024, height: 1_024 },
  ...{ count: 1, seed: 1, steps: 150, guidance: null, model: null, strength: null, scale: 1 },
  ...{ image: null, mask: null, clearMask: null },
};

const SERVERS: readonly (readonly [
  string,
  () => Promise<FakeImageServer>,
  (http: ImageHttp) => ImageProvider,
  string,
])[] = [
  ['ComfyUI', startFakeComfyui, comfyui, '/queue'],
  ['AUTOMATIC1111', startFakeWebui, webui, '/sdapi/v1/samplers'],
  ['stable-diffusion.cpp', startFakeSdServer, sdServer, '/sdcpp/v1/capabilities'],
  ['OpenAI', () => startFakeOpenAiImages({ steps: 150 }), openAiImages, '/v1/models'],
];

for (const [label, start, open, idle] of SERVERS) {
  const cancels: number[] = [];
  const floors: number[] = [];
  for (let i = 0; i < REPEATS; i += 1) {
    await using server = await start();
    server.stepMs = 20;
    const isService = label === 'OpenAI';
    const http = new ImageHttp({
      baseUrl: isService ? `${server.url}/v1` : server.url,
      ...{ label, startHint: '', createAgent: createPlainAgent },
      ...(isService ? { headers: { authorization: 'Bearer sk-test' } } : {}),
    });
    const before = performance.now();
    await (await fetch(`${server.url}${idle}`)).arrayBuffer();
    floors.push(performance.now() - before);
    const abort = new AbortController();
    const watch = { signal: abort.signal, onProgress: () => undefined };
    const made = open(http)
      .make(ORDER, watch)
      .catch(() => null);
    while (server.stepsDone() < 3) await sleep(5);
    // The state in which it is most of the time.
    await sleep(100);
    const at = performance.now();
    abort.abort();
    await made;
    while (server.cancels.length === 0) await sleep(1);
    cancels.push((server.cancels[0] ?? Number.NaN) - at);
  }
  const [cancel, floor] = [median(cancels), median(floors)];
  process.stdout.write(
    `${label}: cancelled after ${cancel.toFixed(1)} ms (median of ${REPEATS}), at most ${Math.max(...cancels).toFixed(1)} ms (goal 300); a bare request ${floor.toFixed(1)} ms; ratio ${(cancel / floor).toFixed(2)}\n`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
