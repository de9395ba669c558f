import { arch } from 'node:process';
import { describe, expect, it } from 'vitest';
import { BubblewrapLauncher } from '#main/sandbox/os-provider/bubblewrap-launcher.ts';
import { seccompFilter } from '#main/sandbox/seccomp-filter.ts';
import { osSandboxNote, osSandboxReady } from '../../setup/os-sandbox.ts';

const STARTS = 600;
const SIDE_BY_SIDE = 12;
/** Longer than a start takes from its first process to its last. */
const WITHIN_MS = 12;

/**
 * The processes of a start begin one after the other, and each takes a moment until it is set to die with its
 * parent: a kill in between must still reach it. Otherwise it stays forever, keeps its pipes open, and the app
 * waits for them when it closes.
 */
describe.skipIf(!osSandboxReady)(`a start that is killed at any moment${osSandboxNote}`, () => {
  it('leaves nothing behind and ends', async () => {
    const launcher = new BubblewrapLauncher({
      bwrap: 'bwrap',
      arguments: [
        ...[
          '--unshare-ipc',
          '--unshare-pid',
          '--unshare-net',
          '--die-with-parent',
          '--new-session',
        ],
        ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '/bin/bash'],
      ],
      seccompFilter: seccompFilter(arch) ?? Buffer.alloc(0),
      limits: {
        detail: '',
        countsAllMemory: true,
        environment: { PATH: process.env.PATH ?? '' },
        prologue: '',
        wrap: (command) => command,
        watch: () => ({ memoryKills: () => 0, onCommand: () => undefined, stop: () => undefined }),
      },
      withRelay: false,
    });
    let over = 0;
    const killed = async (index: number): Promise<void> => {
      const shell = await launcher.launch();
      shell.stdout.resume();
      shell.stderr.resume();
      const wait = ((index * 7) % 100) * (WITHIN_MS / 100);
      await new Promise((resolve) => setTimeout(resolve, wait));
      await shell.kill();
      over += 1;
    };
    const worker = async (first: number): Promise<void> => {
      for (let index = first; index < STARTS; index += SIDE_BY_SIDE) await killed(index);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, first) => worker(first)));
    expect(over).toBe(STARTS);
  });
});
