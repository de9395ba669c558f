import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Deck } from '#contract/slides.ts';
import type { EgressClient } from '#main/egress/types.ts';
import type { SandboxRuntime, TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { officeProblems } from '#main/slides/office/office-problems.ts';
import { SlideService } from '#main/slides/slide-service.ts';
import { noPictures } from '../../fakes/no-pictures.ts';
import { temporaryDir } from '../storage/support.ts';

const common = { notes: '', sources: [] };
const DECK: Deck = {
  ...{ title: 'Bees', theme: 'plain' },
  slides: [
    { layout: 'title', title: 'Bees', subtitle: 'What they do', ...common },
    { layout: 'bullets', title: 'Work', items: ['They fly', 'They dance'], ...common },
    { layout: 'closing', title: 'Thanks', text: '', ...common },
  ],
};
const OTHER: Deck = { ...DECK, theme: 'midnight', slides: DECK.slides.toReversed() };
const signal = new AbortController().signal;
const slides = new SlideService(process.cwd(), { ...noPictures, load: async () => null });
afterAll(() => slides[Symbol.asyncDispose]());

/** A sandbox in which programs run on this computer, with `office` in the place of LibreOffice; null for none. */
async function bench(office: string | null) {
  const dir = temporaryDir();
  const programs = join(temporaryDir(), 'bin');
  mkdirSync(programs, { recursive: true });
  if (office !== null) {
    writeFileSync(join(programs, 'soffice'), `#!/bin/bash\n${office}\n`);
    chmodSync(join(programs, 'soffice'), 0o755);
  }
  const workspace = new HostWorkspace(dir);
  const scripts: string[] = [];
  // Those of the computer, without its LibreOffice.
  const path = [programs, dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter);
  const hide =
    'command() { case "$2" in libreoffice) false;; soffice) [ -x "$OFFICE" ] && echo "$OFFICE";; esac; }';
  const runtime = {
    run: async ({ code }: { readonly code: string }) => {
      scripts.push(code);
      const { status } = spawnSync('bash', ['-c', `${hide}\n${code}`], {
        cwd: dir,
        env: { PATH: path, OFFICE: join(programs, 'soffice'), MADE: join(dir, 'made.pdf') },
      });
      return { outcome: 'completed', exitCode: status, stdout: '', stderr: '' };
    },
  };
  const start: TaskSandbox['runtime'] = async ({ onProgress }) => {
    if (onProgress !== null) throw new Error('A sandbox was prepared for it');
    return runtime as unknown as SandboxRuntime;
  };
  const own = { workspace, runtime: start } as unknown as TaskSandbox;
  const shells: string[] = [];
  const network: { client: EgressClient | null } = { client: null };
  const openNetwork = (client: EgressClient) => {
    network.client = client;
    return { [Symbol.dispose]: () => undefined };
  };
  const shell = (name: string) => {
    shells.push(name);
    return { ...own, openNetwork, [Symbol.asyncDispose]: async () => undefined };
  };
  const sandbox = { ...own, beside: () => ({ ...own, shell }) } as unknown as TaskSandbox;
  const file = {
    threadId: 'thr_1',
    path: "talks/bee's deck.pptx",
    files: workspace.withoutLinks(),
  };
  await slides.make(DECK, file, signal);
  return {
    ...{ dir, file, scripts, shells, network },
    workspace,
    check: () => slides.checkInOffice(file, sandbox, signal),
  };
}

/** Writes the PDF of a deck where the stand-in takes it. */
async function give(dir: string, deck: Deck): Promise<void> {
  const workspace = new HostWorkspace(temporaryDir());
  const file = { threadId: 'thr_1', path: 'other.pptx', files: workspace.withoutLinks() };
  await slides.make(deck, file, signal);
  writeFileSync(join(dir, 'made.pdf'), await slides.pdf(file, signal));
}

/** Takes the place of `soffice … --outdir DIR DIR/deck.pptx`. */
const COPY = 'dir="${@: -2:1}"; [ -s "${@: -1}" ] || exit 1; cp "$MADE" "$dir/deck.pdf"';

describe('a presentation in LibreOffice', () => {
  it('is checked page by page, and nothing of it stays', async () => {
    const { dir, check, workspace } = await bench(COPY);
    await give(dir, DECK);
    expect(await check()).toEqual({ state: 'checked', alike: [1, 1, 1], problems: [] });
    const { entries } = await workspace.list('.hyperagent/slides', { recursive: true });
    expect(entries.filter(({ path }) => path.endsWith('.pdf'))).toEqual([]);
  });

  it('shows which pages look otherwise, and how many there are', async () => {
    const { dir, check } = await bench(COPY);
    await give(dir, OTHER);
    const found = await check();
    expect(found).toMatchObject({ state: 'checked' });
    if (found.state !== 'checked') throw new Error('It was not checked');
    expect(found.alike.every((share) => share < 0.6)).toBe(true);
    expect(found.problems[0]).toMatch(
      /^LibreOffice shows page 1 differently \(similarity 0\.\d\d of 1\)\.$/,
    );
    expect(found.problems).toHaveLength(3);

    await give(dir, { ...DECK, slides: DECK.slides.slice(0, 2) });
    expect(await check()).toEqual({
      ...{ state: 'checked', alike: [1, 1] },
      problems: ['LibreOffice shows 2 pages instead of 3.'],
    });
  });

  it.each([
    ['there is none', null, 'not installed'],
    ['it makes nothing', 'exit 0', 'it could not open the file'],
    ['it fails', 'exit 77', 'it could not open the file'],
    [
      'what it makes is no PDF',
      'echo text > "${@: -2:1}/deck.pdf"',
      'the PDF that it made could not be read',
    ],
    [
      'what it makes is empty',
      ': > "${@: -2:1}/deck.pdf"',
      'the PDF that it made could not be read',
    ],
  ])('is not checked where %s', async (_when, office, why) => {
    const { check } = await bench(office);
    expect(await check()).toEqual({ state: 'not_checked', why });
  });

  it('is not taken from a link that programs put in its place', async () => {
    const { check, dir } = await bench('ln -s /etc/passwd "${@: -2:1}/deck.pdf"');
    await give(dir, DECK);
    await expect(check()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('has no network, also not that of the run, and does not end another check', async () => {
    const { check, shells, network } = await bench(COPY);
    await Promise.all([check(), check()]);
    expect(new Set(shells).size).toBe(2);
    const target = { host: 'out.test', port: 443 };
    const connected = network.client?.connect(target, signal);
    await expect(connected).rejects.toMatchObject({ name: 'EgressDenied', reason: 'offline' });
  });

  it('has a profile of its own', async () => {
    const { check, scripts } = await bench(COPY);
    await check();
    expect(scripts.join()).toContain('-env:UserInstallation=file://$dir/profile');
  });
});

it('names pages that are less alike than those of others were, on templates less strictly', () => {
  const found = { counts: [4, 3] as const, alike: [0.6, 0.599, 0.499] };
  const counts = 'LibreOffice shows 4 pages instead of 3.';
  const page = (number: number, share: string): string =>
    `LibreOffice shows page ${number} differently (similarity ${share} of 1).`;
  const third = page(3, '0.50');
  expect(officeProblems(found, {})).toEqual([counts, page(2, '0.60'), third]);
  const template = { name: 'own.potx', hash: '0'.repeat(64) };
  expect(officeProblems(found, { template })).toEqual([counts, third]);
});
