import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { osSandboxNote, osSandboxReady } from '../../setup/os-sandbox.ts';
import { providerParts } from './provider-parts.ts';

const never = new AbortController().signal;

/** `/tmp` inside is memory of the sandbox; an app that was unpacked below the host's has its Node there. */
describe.skipIf(!osSandboxReady || process.platform !== 'linux')(
  `a Node that lies in /tmp${osSandboxNote}`,
  () => {
    it('is found inside, read-only, and the isolation holds', async () => {
      const folder = mkdtempSync('/tmp/hyperagent-node-');
      const dir = mkdtempSync(join(homedir(), '.hyperagent-test-'));
      onTestFinished(() => {
        for (const made of [folder, dir]) rmSync(made, { recursive: true, force: true });
      });
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      // As an archive is unpacked: programs inside are another user.
      chmodSync(folder, 0o755);
      place(process.execPath, join(bin, 'node'));
      const parts = providerParts(dir);
      const environment = { ...parts.environment, PATH: `${bin}:${parts.environment.PATH ?? ''}` };
      const provider = new BubblewrapProvider({ ...parts, environment });
      const probes = await provider.probe(never);
      expect(probes.filter(({ held }) => !held)).toEqual([]);
      const workspaceDir = join(dir, 'workspaces', 'a');
      mkdirSync(workspaceDir, { recursive: true });
      await using runtime = await provider.start(
        { key: 'unified:test:tmp', workspaceDir, limits: parts.limits() },
        never,
      );
      const ran = await runtime.run(
        {
          ...{ commandId: 'c', language: 'bash', timeoutMs: 30_000 },
          code: `type -P node; node -p 6*7; touch ${bin}/x || echo closed; echo y >/tmp/y && echo open`,
        },
        { signal: never, onOutput: () => undefined },
      );
      expect(ran.stdout).toBe(`${bin}/node\n42\nclosed\nopen\n`);
    });
  },
);

/** Without a copy where both are on one file system. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
