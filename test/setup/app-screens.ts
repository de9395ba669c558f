import type { Page } from 'playwright-core';
import type { TaskApp } from '#contract/apps.ts';
import type { Screen } from './axe.ts';
import { showComputer } from './narrow-window.ts';

const TASK = 't-browse';
const PATH = `?browser=1#/task/${TASK}`;
const URL = 'http://0123456789abcdef.localhost:4173/';
const PAGE = `<!doctype html><html lang="en"><head><title>Habits</title>
<style>body { font: 16px system-ui; margin: 24px; background: #fdf6e3; color: #073642 }</style></head>
<body><main><h1>Habits</h1><ul><li>Read</li><li>Run</li></ul></main></body></html>`;

const RUNNING: Partial<TaskApp> = {
  ...{ folder: 'habits', template: 'react', server: 'running', comesBack: true },
  ...{ previewUrl: URL, ports: [5173, 3000], problem: null, build: null },
};

/** Opens the App tab of a task with an app in this state; a page that stands for it is served to the frame. */
export async function openApp(
  page: Page,
  narrow = false,
  change: Partial<TaskApp> = {},
): Promise<void> {
  await page.route(/^http:\/\/[0-9a-f]{16}\.localhost:4173\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: PAGE }),
  );
  await page.getByText('Find a train to Ulm on Friday').first().waitFor();
  await page.evaluate(
    ([task, app]) => {
      globalThis.fake.apps.logs.set(task, 'VITE ready in 150 ms\nError: no database\n');
      return globalThis.fake.apps.change(task, app);
    },
    [TASK, { ...RUNNING, ...change }] as const,
  );
  await showComputer(page, narrow);
  await page.getByRole('tab', { name: 'App' }).click();
  await page.locator('.app-tab').waitFor();
}

/** The states of the app of a task, oldest first; pictures are JPEG of one color, in base64. */
export const STATES = [
  {
    ...{ snapshotId: 'snap-0', prompt: 'Build me a habit tracker' },
    picture:
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAFAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCvATJ//9k=',
  },
  { snapshotId: 'snap-1', prompt: null, picture: null },
  {
    ...{ snapshotId: 'snap-2', prompt: `Make it blue, and ${'much '.repeat(20)}larger` },
    picture:
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAFAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJgFBT//2Q==',
  },
] as const;

/** Gives the task of these screens its states; `now` is that of its files. Its run is over then. */
export async function giveStates(page: Page, now: string = STATES[2].snapshotId): Promise<void> {
  await page.evaluate(
    ([task, given, current]) => {
      const { fake } = globalThis;
      fake.setRun(`run-${task}`, { status: 'completed', endedAt: Date.now() });
      for (const { snapshotId, picture } of given) {
        if (picture !== null) fake.apps.pictures.set(snapshotId, picture);
      }
      fake.apps.states.set(
        task,
        given.map(({ snapshotId, prompt, picture }, index) => ({
          ...{ snapshotId, prompt, at: Date.now() - (3 - index) * 600_000 },
          by: prompt === null ? ('user' as const) : ('turn' as const),
          since: given[index - 1]?.snapshotId ?? null,
          isCurrent: snapshotId === current,
          hasPicture: picture !== null,
        })),
      );
    },
    [TASK, STATES, now] as const,
  );
}

/** A report as the script of the page makes it. */
async function report(page: Page, message: Readonly<Record<string, unknown>>): Promise<void> {
  const frame = page.frames().find((one) => one.url().startsWith(URL));
  await frame?.evaluate(
    `parent.postMessage({ hyperagentPreview: ${JSON.stringify(message)} }, '*')`,
  );
}

/** The App tab, in each state of its server. */
export const APP_SCREENS: Readonly<Record<string, Screen>> = {
  'an app that runs, with its console': {
    path: PATH,
    open: async (page, narrow) => {
      await openApp(page, narrow);
      await page.frameLocator('iframe.app-frame').getByText('Habits').first().waitFor();
      await report(page, { kind: 'console', level: 'warn', text: 'An old browser' });
      const text = `Uncaught TypeError: habits.add is not a function ${'(src/App.tsx) '.repeat(8)}`;
      await report(page, { kind: 'error', text });
      await page.getByRole('button', { name: /^Console/ }).click();
      await page.getByText('habits.add').waitFor();
    },
  },
  'an app with its states': {
    path: PATH,
    open: async (page, narrow) => {
      await giveStates(page);
      await openApp(page, narrow);
      await page.locator('.app-state-card img').nth(1).waitFor();
    },
  },
  'a state of an app, with what changed': {
    path: PATH,
    open: async (page, narrow) => {
      await giveStates(page);
      await openApp(page, narrow);
      await page.getByRole('button', { name: /^Make it blue/ }).click();
      await page.getByRole('dialog').getByText('sales.csv').waitFor();
      await page.getByRole('dialog').locator('.app-state-picture img').waitFor();
    },
  },
  'an app that was built': {
    path: PATH,
    open: async (page, narrow) => {
      const made = {
        status: 'completed',
        folder: 'habits/dist',
        files: 5,
        bytes: 190_000,
      } as const;
      await openApp(page, narrow, { build: { ...made, unchecked: null, problem: null } });
      await page.getByText('its page shows no problem').waitFor();
    },
  },
  'an app that does not work in production': {
    path: PATH,
    open: async (page, narrow) => {
      const path = 'src/components/'.repeat(12);
      const problem = `The build failed. It ended with exit code 2. It printed:\n${`${path}App.tsx(12,9): error TS2304: Cannot find name 'habits'.\n`.repeat(6)}`;
      const none = { folder: null, files: 0, bytes: 0, unchecked: null } as const;
      await openApp(page, narrow, { build: { status: 'failed', ...none, problem } });
      await page.getByText('error TS2304').waitFor();
    },
  },
  'an app whose server failed': {
    path: PATH,
    open: async (page, narrow) => {
      const problem = 'It ended with exit code 1.';
      await openApp(page, narrow, { server: 'failed', previewUrl: null, ports: [], problem });
      await page.getByText('no database').waitFor();
    },
  },
  'an app that is stopped': {
    path: PATH,
    open: async (page, narrow) => {
      const stopped: Partial<TaskApp> = { server: 'stopped', previewUrl: null, ports: [] };
      await openApp(page, narrow, { ...stopped, comesBack: false });
    },
  },
};
