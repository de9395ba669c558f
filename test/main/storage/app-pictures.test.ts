import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentOf, openAppPictures } from '#main/storage/app-picture-store.ts';
import { bench } from '../sandbox/snapshots/support.ts';

/** Pictures of apps in the database: each stays as long as a snapshot has the files that it shows. */

const JPEG = Buffer.from([1, 2, 3]);

describe('a picture of an app', () => {
  it('is that of the same files, and goes with their last snapshot', async () => {
    const { take, store, dir, database, clock } = bench();
    const pictures = openAppPictures(database.connection);
    const write = (text: string): void => writeFileSync(join(dir, 'a'), text);
    write('one');
    const { at } = await take();
    const one = contentOf(store.list('thr_1')[0] as never);
    write('two');
    await take();
    write('one');
    await take();
    expect(store.list('thr_1').map((snapshot) => contentOf(snapshot) === one)).toEqual([
      true,
      false,
      true,
    ]);
    pictures.put('thr_1', one, JPEG);
    store.expire({ before: at + 1, all: true });
    expect([store.list('thr_1').length, pictures.get('thr_1', one)]).toEqual([2, JPEG]);
    store.expire({ before: clock.time + 1, all: true });
    expect([store.list('thr_1').length, pictures.get('thr_1', one)]).toEqual([0, null]);
  });

  it('is not stored where no snapshot has the files, and goes with its task', async () => {
    const { take, store, dir, database } = bench();
    const pictures = openAppPictures(database.connection);
    writeFileSync(join(dir, 'a'), 'one');
    await take();
    const one = contentOf(store.list('thr_1')[0] as never);
    pictures.put('thr_1', 'other', JPEG);
    pictures.put('thr_2', one, JPEG);
    expect(pictures.pictured('thr_1')).toEqual(new Set());
    pictures.put('thr_1', one, JPEG);
    expect([...pictures.pictured('thr_1')]).toEqual([one]);
    expect([pictures.get('thr_2', one), [...pictures.pictured('thr_2')]]).toEqual([null, []]);
    database.connection.sql('DELETE FROM threads').run();
    const count = database.connection.sql('SELECT count(*) AS count FROM app_pictures').get();
    expect(count).toEqual({ count: 0 });
  });
});
