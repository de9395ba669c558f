import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openBrowser } from '#main/web/open-browser.ts';

it.skipIf(process.platform !== 'linux')(
  'hands the address to the platform, with its session and without keys',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-browser-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    onTestFinished(() => void vi.unstubAllEnvs());
    const said = join(dir, 'said');
    const program = join(dir, 'xdg-open');
    writeFileSync(
      program,
      `#!/bin/sh\n{ echo "$@"; env; } > ${said}.part\nmv ${said}.part ${said}\n`,
    );
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${dir}:${process.env.PATH}`);
    vi.stubEnv('DISPLAY', ':0');
    vi.stubEnv('OPENAI_API_KEY', 'sesame');

    expect(await openBrowser('http://127.0.0.1:1/open/x')).toBe(true);
    await expect.poll(() => existsSync(said)).toBe(true);
    const text = readFileSync(said, 'utf8');
    expect(text.split('\n')[0]).toBe('http://127.0.0.1:1/open/x');
    expect([text.includes('DISPLAY=:0'), text.includes('sesame')]).toEqual([true, false]);
  },
);
