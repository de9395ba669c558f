import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desktop } from '../fakes/electron/desktop.ts';
import { ensureBuilt } from '../setup/built-app.ts';

/** Links that lead out of the built desktop app, under a stand-in for Electron's module. */

let dataDir: string;
let desktop: Desktop;

beforeAll(async () => {
  ensureBuilt();
  dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-links-'));
  desktop = await new Desktop({ dataDir }).opened();
});

afterAll(async () => {
  await desktop?.quit();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("15. of Electron's security checklist: links of others", () => {
  const OPEN = 0;
  const CANCEL = 1;

  /** What was asked and opened since, by one click each. */
  async function follow(
    urls: readonly string[],
    answer: number | null,
    press: string | null = 'mouseUp',
  ) {
    const before = await desktop.state();
    for (const url of urls) await desktop.order({ kind: 'open-window', url, answer, press });
    const { asked, opened } = await desktop.state();
    return {
      asked: asked.slice(before.asked.length),
      opened: opened.slice(before.opened.length),
    };
  }

  it('open outside the app, with the whole address shown, only when the user confirms', async () => {
    const long = `https://example.org/${'a'.repeat(1_900)}`;
    const good = ['https://example.org/a?b=c#d', 'mailto:a@example.org?subject=Hi', long];
    expect(await follow(good, CANCEL)).toEqual({ asked: good, opened: [] });
    expect(await follow(good, OPEN)).toEqual({ asked: good, opened: good });
  });

  it('are shown as they are: names in ASCII, escapes written out', async () => {
    const shown = ['https://xn--80ak6aa92e.com/', 'https://example.org/%E2%80%AEgpj.exe'];
    const written = ['https://аррӏе.com/', 'https://example.org/\u202egpj.exe'];
    expect(await follow(written, CANCEL)).toEqual({ asked: shown, opened: [] });
  });

  it('that could start something, or lead elsewhere than they say, are not even asked about', async () => {
    const bad = [
      ...['file:///etc/passwd', 'smb://attacker.example/share', 'javascript:alert(1)'],
      ...['http://example.org/', 'ms-msdt:/id', 'data:text/html,x', 'app://hyperagent/'],
      ...['vbscript:x', 'search-ms:query=x', 'vscode://file/x', 'blob:https://example.org/1'],
      ...['https://known.example@attacker.example/', 'https://a:b@attacker.example/'],
      ...['mailto:a@example.org?attach=/etc/passwd', 'mailto:a@b.example?ATTACHMENT=x'],
      ...['not an address', '', 'https://', ' \u0000'],
    ];
    expect(await follow(bad, OPEN)).toEqual({ asked: [], opened: [] });
  });

  it('are asked about after a click, a tap or a key of the user, and not because the page says so', async () => {
    const urls = ['https://example.org/1', 'https://example.org/2'];
    for (const press of ['mouseUp', 'rawKeyDown', 'gestureTap']) {
      expect(await follow(urls, CANCEL, press)).toMatchObject({ asked: urls });
    }
    for (const press of [null, 'mouseMove', 'mouseWheel']) {
      expect(await follow(urls, OPEN, press)).toEqual({ asked: [], opened: [] });
    }
  });

  it('that are too long to show are not opened', async () => {
    const { asked, opened } = await follow([`https://example.org/${'a'.repeat(3_000)}`], OPEN);
    expect({ length: asked[0]?.length, opened }).toEqual({ length: 201, opened: [] });
  });

  it('ask one question at a time', async () => {
    const urls = Array.from({ length: 20 }, (_, i) => `https://example.org/${i}`);
    // The first dialog stays open; it is the last test for that reason.
    expect(await follow(urls, null)).toEqual({ asked: ['https://example.org/0'], opened: [] });
  });
});
