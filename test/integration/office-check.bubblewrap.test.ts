import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { Deck } from '#contract/slides.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import { SlideService } from '#main/slides/slide-service.ts';
import { noPictures } from '../fakes/no-pictures.ts';
import { box, templateFile } from '../fakes/slides/template-file.ts';
import { memoryProofStore } from '../main/sandbox/fake-provider.ts';
import { providerParts } from '../main/sandbox/provider-parts.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const hasOffice = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'soffice')));
const common = { notes: '', sources: [] };
const DECK: Deck = {
  ...{ title: 'Bees', theme: 'ocean' },
  slides: [
    { layout: 'title', title: 'Bees', subtitle: 'What they do', ...common },
    { layout: 'bullets', title: 'Work', items: ['They fly', 'They dance'], ...common },
    {
      ...{ layout: 'table', title: 'Hives', ...common },
      columns: ['Town', 'Hives'],
      rows: [
        ['Ulm', '12'],
        ['Graz', '7'],
      ],
    },
    { layout: 'closing', title: 'Thanks', text: '', ...common },
  ],
};

test.skipIf(!osSandboxReady)(
  `a presentation is checked in LibreOffice where it is installed, in the sandbox${osSandboxNote}`,
  async () => {
    // In the home: a folder for temporary files would be hidden inside.
    const dir = mkdtempSync(join(homedir(), '.hyperagent-test-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    await using manager = new UnifiedSandboxManager({
      providers: [new BubblewrapProvider(providerParts(dir))],
      workspaceDir: (taskId) => join(dir, 'workspaces', taskId),
      proofs: memoryProofStore(),
      settings: () => Settings.parse({}),
      clock: systemClock,
      logger: silentLogger,
    });
    await using slides = new SlideService(process.cwd(), { ...noPictures, load: async () => null });
    const { signal } = new AbortController();
    const sandbox = manager.forTask('thr_1', 'auto');
    const files = sandbox.workspace.withoutLinks();
    const file = { threadId: 'thr_1', path: 'talks/bees.pptx', files };
    const { hash } = await slides.make(DECK, file, signal);
    const found = await slides.checkInOffice(file, sandbox, signal);
    expect((await slides.open(file, signal)).hash).toBe(hash);
    if (!hasOffice) {
      expect(found).toEqual({ state: 'not_checked', why: 'not installed' });
      return;
    }
    expect(found).toMatchObject({ state: 'checked', problems: [] });
    if (found.state === 'checked') expect(found.alike).toHaveLength(4);

    const shapes = box([0, 0, 20, 540], '7A1FA2');
    await files.write('own.potx', await templateFile({ master: { shapes } }));
    const { template } = await slides.takeTemplate('own.potx', file, signal);
    await slides.make({ ...DECK, template }, file, signal);
    const onTemplate = await slides.checkInOffice(file, sandbox, signal);
    expect(onTemplate).toMatchObject({ state: 'checked', problems: [] });
  },
);
