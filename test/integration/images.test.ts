import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { startFakeWebui } from '../fakes/images/fake-webui.ts';
import { NOWHERE } from '../fakes/images/image-bench.ts';
import { pictureFacts, solidPng } from '../fakes/images/png.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const SMALL = { width: 96, height: 64, steps: 2 };

it.skipIf(!osSandboxReady)(
  `a picture is made, made again, and changed by a mask that came with the message${osSandboxNote}`,
  async () => {
    await using server = await startFakeWebui();
    const imageServers = { 'sd-server': NOWHERE, webui: server.url, comfyui: NOWHERE };
    const bench = await openAppBench(() => ({ content: 'Not asked.' }), { imageServers });
    const play = async (
      params: Readonly<Record<string, unknown>>,
      { threadId, files = {} }: { threadId?: string; files?: Record<string, Uint8Array> } = {},
    ) => {
      const skill = { id: 'image_generation', params: { ...SMALL, ...params } as never };
      const attachmentIds: string[] = [];
      for (const [name, bytes] of Object.entries(files)) {
        const data = Buffer.from(bytes).toString('base64');
        attachmentIds.push((await bench.app.api['attachments.add']({ name, data })).attachmentId);
      }
      const { run } = await bench.app.api['runs.start']({
        ...{ prompt: 'Pictures', attachmentIds, options: { approve: 'all', skill } },
        ...(threadId === undefined ? {} : { threadId }),
      });
      const played = await bench.settled(run.id);
      expect([played.run.status, played.run.error ?? null]).toEqual(['completed', null]);
      return played;
    };

    const first = await play({ request: 'A red fox', exact: true });
    const { threadId } = first.run;
    const path = 'images/a-red-fox.png';
    const { record } = await bench.app.api['images.open']({ threadId, path });
    expect(record).toMatchObject({ prompt: 'A red fox', server: 'webui', width: 96, height: 64 });

    const again = { request: 'A red fox', exact: true, seed: record?.seed };
    await play(again, { threadId });
    const mask = 'mask-0123456789abcdef.png';
    const files = { [mask]: solidPng(96, 64, [255, 255, 255]) };
    await play({ request: 'A blue fox', exact: true, image: path, mask }, { threadId, files });

    const folder = join(bench.workspace(threadId).dir, 'images');
    const file = (name: string): Buffer => readFileSync(join(folder, name));
    expect(readdirSync(folder).sort()).toEqual([
      ...['a-blue-fox.png', 'a-red-fox-2.png', 'a-red-fox.png'],
    ]);
    expect(file('a-red-fox-2.png')).toEqual(file('a-red-fox.png'));
    const change = server.requests.find(({ path: at }) => at.endsWith('/img2img'))?.body;
    const { mask: sent } = change as { readonly mask: string };
    const bytes = Buffer.from(sent.replace(/^data:.*?,/, ''), 'base64');
    expect(pictureFacts(bytes)).toMatchObject({ width: 96, height: 64 });
    expect(bench.requests).toEqual([]);

    const { servers } = await bench.app.api['images.servers']({}, {
      closed: new AbortController().signal,
    } as never);
    const facts = servers.map(({ kind, isUsed, info, problem }) => [
      kind,
      isUsed,
      info !== null,
      problem,
    ]);
    expect(facts).toEqual([
      ['comfyui', false, false, expect.stringContaining('ComfyUI does not answer')],
      ['webui', true, true, null],
      ['sd-server', false, false, expect.stringContaining('does not answer')],
      ['openai', false, false, null],
      ['gemini', false, false, null],
    ]);
  },
);
