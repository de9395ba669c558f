import { describe, expect, it } from 'vitest';
import type { Run } from '#contract/entities.ts';
import { initialState } from '../../src-renderer/store/app-state.ts';
import { changeOrder, largerOrder } from '../../src-renderer/store/image-orders.ts';
import { createImageProgress, progressKey } from '../../src-renderer/store/image-progress.ts';
import { countMarked, rectangleIn, toMask } from '../../src-renderer/store/mask-marks.ts';
import { createStore } from '../../src-renderer/store/store.ts';
import { fakeImageProgress } from '../fakes/fake-images.ts';

describe('the progress of pictures', () => {
  const open = (status: Run['status']) => {
    const run = { id: 'r', threadId: 't', status } as Run;
    const thread = { phase: 'ready' as const, problem: null, messages: [], runIds: ['r'] };
    const app = createStore({
      ...initialState('open'),
      runs: new Map([['r', run]]),
      openThreads: new Map([['t', thread]]),
    });
    const progress = createImageProgress(app);
    const keys = () => [...progress.store.get().keys()];
    const notice = (toolCallId: string) => fakeImageProgress({ threadId: 't', toolCallId });
    return { progress, keys, notice };
  };

  it('is kept until its call ends, or no run goes on', () => {
    const { progress, keys, notice } = open('running');
    for (const call of ['one', 'two', 'one']) progress.receive(notice(call));
    expect(keys()).toEqual([progressKey('t', 'one'), progressKey('t', 'two')]);
    progress.ended('other', 'one');
    progress.ended('t', 'one');
    expect(keys()).toEqual([progressKey('t', 'two')]);
    progress.rested('t');
    expect(keys()).toEqual([]);
  });

  it('that comes after the end, or of a task that is not open, is not kept', () => {
    const { progress, keys, notice } = open('completed');
    progress.receive(notice('one'));
    progress.receive({ ...notice('one'), threadId: 'unknown' });
    expect(keys()).toEqual([]);
  });
});

describe('orders of pictures', () => {
  it('keep the size of a picture where a server can make it', () => {
    const change = { request: ' x ', mask: null, strength: null };
    const params = (size: { width: number; height: number } | null) =>
      changeOrder('a/b.png', { ...change, size }).params;
    expect(params({ width: 64, height: 4_096 })).toEqual({
      ...{ request: 'x', image: 'a/b.png', width: 64, height: 4_096 },
    });
    for (const size of [null, { width: 63, height: 64 }, { width: 64, height: 4_097 }]) {
      expect(params(size)).toEqual({ request: 'x', image: 'a/b.png' });
    }
  });

  it.each([
    ['a/fox.red.png', 'fox.red'],
    ['.png', '.png'],
    ['fox', 'fox'],
  ])('name the larger copy of %s: %s', (path, request) => {
    expect(largerOrder(path, null).params.request).toBe(request);
  });
});

describe('marks', () => {
  it('become white where they cover at least half of a pixel, and all else black', () => {
    const pixels = new Uint8ClampedArray([9, 9, 9, 128, 9, 9, 9, 127, 0, 0, 0, 0]);
    expect(countMarked(pixels)).toBe(1);
    expect(toMask(pixels)).toBe(1);
    expect([...pixels]).toEqual([255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
  });

  it.each([
    [[10, 20, 30, 25], { left: 10, top: 20, width: 30, height: 25 }],
    [[-10, -10, 30, 40], { left: 0, top: 0, width: 20, height: 30 }],
    [[90, 40, 30, 40], { left: 90, top: 40, width: 10, height: 10 }],
    [[100, 0, 5, 5], null],
    [[0, 0, 0, 5], null],
    [[0, 0, -5, 5], null],
    [[Number.NaN, 0, 5, 5], null],
  ])(
    'of the rectangle %j are cut at the edges',
    ([left = 0, top = 0, width = 0, height = 0], cut) => {
      expect(rectangleIn({ left, top, width, height }, { width: 100, height: 50 })).toEqual(cut);
    },
  );
});
