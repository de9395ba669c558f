import { describe, expect, it } from 'vitest';
import {
  driveHostile,
  HOSTILE_CASES,
  type HostileCase,
  needsSandbox,
} from '../fakes/connectors/drive-hostile.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { sample } from '../setup/sampling.ts';

/**
 * Servers that another wrote to break or misuse the client, without knowing it (`test/fakes/connectors/hostile`): those
 * that try to get out of their sandbox, and a sample of the others. All of them: `npm run bench mcp-hostile`.
 */
const command = 'npm run bench mcp-hostile';
const escaping = sample(HOSTILE_CASES.filter(needsSandbox), {
  ...{ name: 'connectors that try to get out', size: 24, command },
});
const others = sample(
  HOSTILE_CASES.filter((one) => !needsSandbox(one)),
  { name: 'hostile connectors', size: 40, command },
);
const titleOf = ({ id, what }: HostileCase): string => `${id}: ${what}`;

describe.skipIf(!osSandboxReady)(`a connector that tries to get out${osSandboxNote}`, () => {
  it.each(escaping.map((one) => [titleOf(one), one] as const))('%s', async (_title, one) => {
    expect((await driveHostile(one, true)).failures).toEqual([]);
  });
});

describe('a hostile or broken connector', () => {
  it.each(others.map((one) => [titleOf(one), one] as const))('%s', async (_title, one) => {
    expect((await driveHostile(one, false)).failures).toEqual([]);
  });
});
