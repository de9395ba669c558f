import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { startFakeComfyui } from '../fakes/images/fake-comfyui.ts';
import { NOWHERE } from '../fakes/images/image-bench.ts';
import { pictureFacts } from '../fakes/images/png.ts';
import { openData } from '../fakes/open-data.ts';
import { openPptx } from '../fakes/slides/opened-pptx.ts';
import { ensureBuilt, eventsOf, runTerminal } from '../setup/built-app.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

beforeAll(ensureBuilt);

const DESCRIBED = {
  ...{ prompt: 'A red fox in deep snow', negative_prompt: '', alt: 'A fox stands in the snow.' },
  ...{ shape: 'wide', count: 1 },
};

test.skipIf(!osSandboxReady)(
  `the built app makes a picture in the mode image, by ComfyUI${osSandboxNote}`,
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-terminal-images-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await using comfyui = await startFakeComfyui();
    const described = JSON.stringify(DESCRIBED);
    await using model = await startDirectedModel(({ results }) => ({
      content: results.length === 0 ? described : `Here it is. ${results.at(-1)}`,
    }));
    const dataDir = join(dir, 'data');
    const stores = openData(dataDir);
    stores.settings.update({
      imageServers: { 'sd-server': NOWHERE, webui: NOWHERE, comfyui: comfyui.url },
    });
    stores.close();

    const { code, stderr, events } = await runTerminal([
      ...['run', 'a fox in the snow', '--mode', 'image', '--model', 'ollama:x'],
      ...['--base-url', model.url, '--json', '--approve', 'all', '--sandbox', 'os'],
      ...['--data-dir', dataDir],
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const path = 'images/a-red-fox-in-deep-snow.png';
    const [image] = eventsOf(events(), 'image');
    const [file = ''] = globSync(join(dataDir, 'workspaces', '*', path));
    expect(pictureFacts(readFileSync(file))).toMatchObject({ width: 1344, height: 768 });
    expect(image).toMatchObject({ path, alt: 'A fox stands in the snow.', mimeType: 'image/png' });
    expect(eventsOf(events(), 'workspace_update')).toMatchObject([{ operation: 'create', path }]);
    const answer = eventsOf(events(), 'complete').at(-1)?.answer ?? '';
    expect(answer).toContain(path);
    const shown = await runTerminal([
      'artifacts',
      '--kind',
      'image',
      '--json',
      '--data-dir',
      dataDir,
    ]);
    expect(shown.stdout).toContain(path);
    const graph = comfyui.requests.find(({ path: at }) => at === '/prompt')?.body;
    expect(JSON.stringify(graph)).toContain('A red fox in deep snow');
  },
);

const OUTLINE = {
  ...{ title: 'Foxes in winter', theme: 'plain' },
  slides: [
    { layout: 'title', title: 'Foxes in winter', points: [] },
    { layout: 'image_text', title: 'Fur keeps them warm', points: ['It grows in autumn'] },
    { layout: 'closing', title: 'Leave them in peace', points: [] },
  ],
};
const PICTURED = {
  ...{ title: 'Fur keeps them warm', notes: '', sources: [], alt: 'A fox stands in the snow.' },
  ...{ picture: 'A red fox in deep snow', items: ['It grows in autumn'] },
};

test.skipIf(!osSandboxReady)(
  `the built app makes slides in the mode slide, with a picture by ComfyUI${osSandboxNote}`,
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-terminal-slides-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await using comfyui = await startFakeComfyui();
    await using model = await startDirectedModel(({ system, turn, results }) => {
      if (system.startsWith('You outline')) return { content: JSON.stringify(OUTLINE) };
      if (system.startsWith('You decide')) return { content: '{"queries":[]}' };
      if (turn.includes('Layout: image_text.')) return { content: JSON.stringify(PICTURED) };
      if (system.startsWith('You write one')) {
        return { content: '{"title":"","notes":"","sources":[]}' };
      }
      return { content: `Here they are. ${results.at(-1)}` };
    });
    const dataDir = join(dir, 'data');
    const stores = openData(dataDir);
    stores.settings.update({
      imageServers: { 'sd-server': NOWHERE, webui: NOWHERE, comfyui: comfyui.url },
    });
    stores.close();

    const { code, stderr, events } = await runTerminal([
      ...['run', 'slides on foxes in winter', '--mode', 'slide', '--model', 'ollama:x'],
      ...['--base-url', model.url, '--json', '--approve', 'all', '--sandbox', 'os'],
      ...['--data-dir', dataDir],
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [output] = eventsOf(events(), 'skill_output');
    const path = 'images/a-red-fox-in-deep-snow.png';
    expect(output?.output).toMatchObject({ pictures: [path], notes: [], findings: [] });
    const [picture = ''] = globSync(join(dataDir, 'workspaces', '*', path));
    const [file = ''] = globSync(join(dataDir, 'workspaces', '*', String(output?.output.file)));
    expect(pictureFacts(readFileSync(picture))).toMatchObject({ width: 1152, height: 960 });
    const { names, slide } = await openPptx(readFileSync(file));
    const shown = slide(2).one('p:pic').one('p:cNvPr');
    expect(shown.attributes.descr).toBe('A fox stands in the snow.');
    expect(names.filter((name) => /^ppt\/media\/.*\.png$/.test(name))).toHaveLength(1);
  },
);
