import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { imageBench, NOWHERE } from '../../fakes/images/image-bench.ts';

const STOPPED = { 'sd-server': NOWHERE, webui: NOWHERE, comfyui: NOWHERE };
const usual = (): AbortSignal => new AbortController().signal;

describe('where pictures would be made', () => {
  it('is here where a server answers, and nothing is made for it', async () => {
    await using server = await startFakeWebui();
    const imageServers = { ...STOPPED, webui: server.url };
    const { images } = imageBench({ settings: { imageServers } });
    expect(await images.place(usual())).toEqual({ where: 'here' });
    expect(server.requests.map(({ method }) => method)).not.toContain('POST');
  });

  it('is nowhere where none does, and what to install is said', async () => {
    const { images } = imageBench({ settings: { imageServers: STOPPED } });
    expect(await images.place(usual())).toEqual({
      where: 'nowhere',
      why: expect.stringContaining('Install one of ComfyUI'),
    });
  });

  it('is elsewhere for a service or another computer, and neither is asked', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    const port = await listen(server, '127.0.0.1');
    const url = `http://127.0.0.1:${port}`;
    const services = { openai: 'https://images.test/v1', gemini: url };
    const chosen = imageBench({ settings: { imageProvider: 'openai' }, services });
    expect(await chosen.images.place(usual())).toEqual({ where: 'elsewhere' });
    const far = { ...STOPPED, webui: url, comfyui: 'http://192.0.2.7:8188' };
    const { images } = imageBench({ settings: { imageServers: far } });
    expect(await images.place(usual())).toEqual({ where: 'elsewhere' });
    expect(asked).toBe(0);
    await closeServer(server);
  });

  it('ends with its run, though a server never answers', async () => {
    const server = createServer(() => undefined);
    const port = await listen(server, '127.0.0.1');
    const imageServers = { ...STOPPED, webui: `http://127.0.0.1:${port}` };
    const { images } = imageBench({ settings: { imageServers } });
    const stop = new AbortController();
    const place = images.place(stop.signal);
    server.once('request', () => stop.abort(new Error('The run was stopped')));
    await expect(place).rejects.toThrow('The run was stopped');
    await closeServer(server);
  });
});
