import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import { sandboxBench } from '../../fakes/sandbox-bench.ts';
import { providerParts } from '../sandbox/provider-parts.ts';

const READ_BYTES = 64 * 1024;
/** What follows the text of a part: where it begins and ends, and how to go on. */
const NOTE =
  /\n\[… bytes (\d+) to (\d+) of (\d+)\. (?:Read on with offset (\d+)\.|This is its end\.) …\]$/;

let bench: Awaited<ReturnType<typeof sandboxBench>>;
// Files are read from outside: no sandbox is started.
beforeAll(async () => {
  bench = await sandboxBench({ provider: (dir) => new BubblewrapProvider(providerParts(dir)) });
});
afterAll(() => bench[Symbol.asyncDispose]());

const read = (more: Record<string, unknown> = {}) =>
  bench.call('sandbox_file', { operation: 'read', path: 'long.txt', ...more });

/** The whole file, by going on as each answer says. */
async function readOn(): Promise<{ readonly text: string; readonly parts: number }> {
  let [text, parts, offset] = ['', 0, 0 as number | null];
  while (offset !== null) {
    const { status, content } = await read(offset === 0 ? {} : { offset });
    expect(status).toBe('ok');
    const note = NOTE.exec(content);
    text += note === null ? content : content.slice(0, note.index);
    parts += 1;
    offset = note?.[4] === undefined ? null : Number(note[4]);
  }
  return { text, parts };
}

test('a long text is read part by part, and nothing of it is lost or doubled', async () => {
  // Characters of one to four bytes, so that parts would end inside of them.
  const pieces = fc.array(fc.constantFrom('a', 'ä', '中', '😀', '\n', '\ufeff', '[…'), {
    minLength: 60_000,
    maxLength: 90_000,
    size: 'max',
  });
  for (const words of fc.sample(pieces, { seed: 7, numRuns: 6 })) {
    // A mark at the very start is not part of the text.
    const whole = `x${words.join('')}`;
    await bench.sandbox.workspace.write('long.txt', whole);
    const { text, parts } = await readOn();
    expect(text === whole).toBe(true);
    // Each part fills what a result may hold.
    expect(parts).toBeLessThanOrEqual(Math.ceil(whole.length / 13_000));
  }
});

test('an offset in the middle begins with a whole character and says where', async () => {
  await bench.sandbox.workspace.write('long.txt', 'aä中b');
  expect((await read({ offset: 2 })).content).toBe(
    '中b\n[… bytes 3 to 7 of 7. This is its end. …]',
  );
  expect((await read()).content).toBe('aä中b');
  expect(await read({ offset: 7 })).toMatchObject({
    status: 'error',
    content: expect.stringContaining('has 7 bytes; offset 7 is beyond them'),
  });
  expect(await read({ offset: -1 })).toMatchObject({ status: 'error' });
});

test('bytes that are no UTF-8 are not skipped', async () => {
  await bench.sandbox.workspace.write('long.txt', Buffer.alloc(READ_BYTES + 10, 0xbf));
  const { content } = await read();
  const [, begin, end, size, next] = NOTE.exec(content) ?? [];
  expect([begin, size, next]).toEqual(['0', '65546', end]);
  expect(Number(end)).toBeGreaterThan(15_000);
});
