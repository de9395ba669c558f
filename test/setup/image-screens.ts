import type { Page } from 'playwright-core';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ImageProgressNotice, ImageRecord } from '#contract/images.ts';
import { fakeImageProgress, fakeImageRecord } from '../fakes/fake-images.ts';
import { skillCall } from '../fakes/skill-run.ts';
import type { Screen } from './axe.ts';
import { showComputer, showSidebar } from './narrow-window.ts';

export const PICTURE = 'pictures/fox.png';
export const PICTURE_SIZE = { width: 640, height: 480 } as const;

/** Puts a picture into the workspace of the fake main, with its record, and opens it. */
export async function openPicture(
  page: Page,
  narrow: boolean,
  record: ImageRecord | null = fakeImageRecord(),
  path: string = PICTURE,
): Promise<void> {
  const url = await drawPicture(page, PICTURE_SIZE.width, PICTURE_SIZE.height);
  await page.evaluate(
    ([name, data, made]) => {
      const { fake } = globalThis;
      fake.state.files.set(name, { mimeType: 'image/png', encoding: 'base64', data });
      if (made !== null) fake.images.records.set(name, made);
    },
    [path, url.slice(url.indexOf(',') + 1), record] as const,
  );
  await showComputer(page, narrow);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page
    .getByRole('button')
    .filter({ hasText: path.split('/').at(-1) ?? path })
    .click();
  await page.getByRole('button', { name: 'Change…' }).waitFor();
  if (record !== null) await page.getByRole('heading', { name: 'How it was made' }).waitFor();
  await page.waitForFunction(`document.querySelector('.file-image')?.naturalWidth > 0`);
}

/** A hill under a sky, as a `data:` URL. */
function drawPicture(page: Page, width: number, height: number): Promise<string> {
  return page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    const pen = canvas.getContext('2d');
    const sky = pen.createLinearGradient(0, 0, 0, ${height});
    sky.addColorStop(0, '#7fb2e5');
    sky.addColorStop(1, '#f3d9b1');
    pen.fillStyle = sky;
    pen.fillRect(0, 0, ${width}, ${height});
    pen.fillStyle = '#3f6b4a';
    pen.beginPath();
    pen.ellipse(${width} / 2, ${height} * 1.1, ${width} * 0.7, ${height} * 0.5, 0, 0, 7);
    pen.fill();
    return canvas.toDataURL('image/png');
  })()`);
}

export async function openChange(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('dialog', { name: /^Change / }).waitFor();
  await page.locator('.mask-stage > canvas').waitFor();
}

const drawing = (toolCallId: string): RunEventDraft => ({
  ...{ type: 'tool_call', toolCallId, name: 'generate_image', risk: 'medium' },
  ...{ effect: 'probeable', agent: 'executor', round: 1 },
  arguments: { prompt: 'A red fox in fresh snow' },
});

/** Begins a run whose picture is being made, by itself or inside a skill. */
export async function beginPicture(page: Page, inSkill: boolean): Promise<void> {
  const drafts = inSkill
    ? [skillCall('call-skill', 'image_generation'), drawing('call-skill.1')]
    : [drawing('call-image')];
  await page.evaluate((events) => {
    const { fake } = globalThis;
    const first = fake.state.runs[0];
    if (first === undefined) throw new Error('The fake main has no runs.');
    fake.addLog({ ...first, id: 'drawing', threadId: 't-run', status: 'running' }, events);
  }, drafts);
  await page.evaluate(`location.hash = '#/task/t-run'`);
  if (inSkill) await page.getByRole('region', { name: /image_generation/ }).waitFor();
  else await page.getByText('Making a picture').waitFor();
}

/** How far the picture of `beginPicture` is, with a preview where one is to be shown. */
export async function pushProgress(
  page: Page,
  more: Partial<ImageProgressNotice>,
  hasPreview = false,
): Promise<void> {
  const preview = hasPreview ? await drawPicture(page, 64, 48) : null;
  await page.evaluate(
    (progress) => globalThis.fake.push({ kind: 'image_progress', progress }),
    fakeImageProgress({ preview, ...more }),
  );
}

const pictures = async (page: Page, narrow: boolean): Promise<void> => {
  await showSidebar(page, narrow);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Pictures' }).click();
  await page.getByText('answers, 2 models').waitFor();
};

const LONG_NAME = `pictures/${'a-name-without-spaces-'.repeat(4)}<b>.png`;

/** Pictures: their settings, their viewer, what changes them, and one that is being made. */
export const IMAGE_SCREENS: Readonly<Record<string, Screen>> = {
  'settings: pictures': { path: '', open: pictures },
  'settings: pictures without a server': {
    path: '',
    open: async (page, narrow) => {
      await pictures(page, narrow);
      await page.evaluate(() => {
        const { images } = globalThis.fake;
        images.servers = images.servers.map((one) => ({
          ...{ ...one, isUsed: false, info: null },
          problem:
            one.address === null ? null : `No answer <b>${'without-spaces-'.repeat(9)}\u202e`,
        }));
      });
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByText('Install one of').waitFor();
    },
  },
  'a picture that was made here': {
    path: '#/task/t-sales',
    open: (page, narrow) =>
      openPicture(
        page,
        narrow,
        fakeImageRecord({ operation: 'edit', image: 'pictures/first.png', strength: 0.6 }),
      ),
  },
  'a picture from elsewhere': {
    path: '#/task/t-sales',
    open: (page, narrow) => openPicture(page, narrow, null, LONG_NAME),
  },
  'a picture to change': {
    path: '#/task/t-sales',
    open: async (page, narrow) => {
      await openPicture(page, narrow);
      await openChange(page);
      await page.getByRole('textbox', { name: 'What should be there?' }).fill('A house with smoke');
      await page.getByRole('button', { name: 'Mark a rectangle' }).click();
      await page.getByRole('button', { name: 'Mark rectangle', exact: true }).click();
      await page.getByText('Marked: 25% of the picture.').waitFor();
    },
  },
  'a picture being made': {
    path: '',
    open: async (page) => {
      await beginPicture(page, false);
      await pushProgress(page, {}, true);
      await page.getByText('Step 12 of 20').waitFor();
    },
  },
  'a picture being made by a skill': {
    path: '',
    open: async (page) => {
      await beginPicture(page, true);
      await pushProgress(page, { toolCallId: 'call-skill.1', queue: 2, step: null, steps: null });
      await page.getByText('In the queue, 2 before it').waitFor();
    },
  },
};
