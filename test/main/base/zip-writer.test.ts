import { randomBytes } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ZipWriter } from '#main/base/zip-writer.ts';
import { temporaryDir } from '../storage/support.ts';
import { unpack } from './unpack.ts';

const never = new AbortController().signal;

async function* inPieces(bytes: Buffer, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function target(): { file: string; write: (bytes: Uint8Array) => Promise<void> } {
  const file = join(temporaryDir(), 'all.zip');
  const handle = openSync(file, 'w');
  return { file, write: async (bytes) => void writeSync(handle, bytes) };
}

it('is read by another program: whole and streamed, empty, packed and incompressible, any name', async () => {
  const { file, write } = target();
  const zip = new ZipWriter(write, never);
  const contents = new Map<string, Buffer>([
    ['a/empty.txt', Buffer.alloc(0)],
    ['a/text.txt', Buffer.from('one two three '.repeat(100))],
    ['a/random.bin', randomBytes(3_000)],
    ['流/销售额 é.csv', Buffer.from('汉字')],
  ]);
  const streamed = new Map<string, Buffer>([
    ['b/empty.txt', Buffer.alloc(0)],
    ['b/zeros.bin', Buffer.alloc(1_000_000)],
    ['b/random.bin', randomBytes(1_000_000)],
  ]);
  for (const [name, content] of contents) await zip.add({ name, modifiedAt: 0, content });
  for (const [name, content] of streamed) {
    const size = await zip.add({ name, modifiedAt: Date.now(), content: inPieces(content) });
    expect(size).toBe(content.length);
  }
  // One that may be large gets fields for it.
  const large = { name: 'c.bin', modifiedAt: 0, content: inPieces(Buffer.from('c')) };
  await zip.add({ ...large, mostBytes: 5 * 1024 ** 3 });
  await zip.end();
  const unpacked = await unpack(file);
  expect(unpacked).toEqual(new Map([...contents, ...streamed, ['c.bin', Buffer.from('c')]]));
});

it('holds more entries than a plain zip file can count', async () => {
  const { file, write } = target();
  const zip = new ZipWriter(write, never);
  for (let index = 0; index < 66_000; index += 1) {
    await zip.add({ name: `${index}`, modifiedAt: 0, content: Buffer.alloc(0) });
  }
  await zip.end();
  const { execFileSync } = await import('node:child_process');
  const program = 'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))';
  expect(execFileSync('python3', ['-c', program, file]).toString().trim()).toBe('66000');
});

it('ends with what its content, its target or the user says', async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('the content');
  };
  const zip = new ZipWriter(async () => undefined, never);
  const entry = { name: 'x', modifiedAt: 0 };
  await expect(zip.add({ ...entry, content: broken() })).rejects.toThrow('the content');
  const full = new ZipWriter(() => Promise.reject(new Error('the target')), never);
  await expect(full.add({ ...entry, content: Buffer.from('x') })).rejects.toThrow('the target');
  const stopping = new AbortController();
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      yield randomBytes(65_536);
      stopping.abort(new Error('the user'));
    }
  };
  const stopped = new ZipWriter(async () => undefined, stopping.signal);
  await expect(stopped.add({ ...entry, content: endless() })).rejects.toThrow();
});
