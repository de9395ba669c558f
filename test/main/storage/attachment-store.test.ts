import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/requests.ts';
import { AttachmentStore } from '#main/storage/attachment-store.ts';
import { HandClock, temporaryDir, thrownBy } from './support.ts';

test('a file is stored under a name of the app, found, and gone after use', async () => {
  const dir = join(temporaryDir(), 'attachments');
  const store = new AttachmentStore(dir, new HandClock());
  const taken = await store.add('../../etc/总 额.csv', Buffer.from('a,b\n'));
  const [file] = store.find([taken.attachmentId]);
  expect([taken, file?.name, readFileSync(file?.hostPath ?? '', 'utf8'), readdirSync(dir)]).toEqual(
    [
      { attachmentId: taken.attachmentId, name: '../../etc/总 额.csv', size: 4 },
      '../../etc/总 额.csv',
      'a,b\n',
      [taken.attachmentId],
    ],
  );
  await store.remove([taken.attachmentId, '../x']);
  expect([readdirSync(dir), thrownBy(() => store.find([taken.attachmentId]))]).toEqual([
    [],
    expect.objectContaining({ code: 'NOT_FOUND' }),
  ]);
});

test('a file over the limit is refused and not written', async () => {
  const dir = join(temporaryDir(), 'attachments');
  const store = new AttachmentStore(dir, new HandClock());
  await expect(
    store.add('big.bin', Buffer.alloc(ATTACHMENT_LIMIT_BYTES + 1)),
  ).rejects.toMatchObject({
    code: 'ATTACHMENT_TOO_LARGE',
    message:
      '"big.bin" is 26 MB; attachments can be up to 25 MB. Attach a part of it, or all of it with the CLI: hyperagent run --attach FILE.',
  });
  expect(readdirSync(join(dir, '..'))).toEqual([]);
  await store.add('largest.bin', Buffer.alloc(ATTACHMENT_LIMIT_BYTES));
});

test('a file of this computer is found where it is, and stays after use', async () => {
  const dir = temporaryDir();
  const own = join(dir, 'sales.csv');
  writeFileSync(own, 'a,b\n');
  const store = new AttachmentStore(join(dir, 'attachments'), new HandClock());
  const attachmentId = store.addFile('sales.csv', own);
  expect(store.find([attachmentId])).toEqual([{ name: 'sales.csv', hostPath: own }]);
  await store.remove([attachmentId]);
  expect([readFileSync(own, 'utf8'), thrownBy(() => store.find([attachmentId]))]).toEqual([
    'a,b\n',
    expect.objectContaining({ code: 'NOT_FOUND' }),
  ]);
});

test('the sweep removes what an earlier process left behind, and nothing of this one', async () => {
  const dir = join(temporaryDir(), 'attachments');
  const store = new AttachmentStore(dir, new HandClock());
  await store.sweep();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'att_old'), 'x');
  const { attachmentId } = await store.add('a', Buffer.from('a'));
  await store.sweep();
  expect(readdirSync(dir)).toEqual([attachmentId]);
});

test('a file that is being written survives the sweep', async () => {
  const dir = temporaryDir();
  writeFileSync(join(dir, 'att_left'), 'left behind');
  const store = new AttachmentStore(dir, new HandClock());
  // Large, so that it is still being written when the sweep looks.
  const data = new Uint8Array(24 * 1024 * 1024);
  const adding = store.add('big.bin', data);
  await expect.poll(() => readdirSync(dir), { interval: 1 }).toHaveLength(2);
  await store.sweep();
  const { attachmentId } = await adding;
  const [taken] = store.find([attachmentId]);
  expect([readdirSync(dir), statSync(taken?.hostPath ?? '').size]).toEqual([
    [attachmentId],
    data.byteLength,
  ]);
});
