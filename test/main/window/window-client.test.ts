import { describe, expect, it } from 'vitest';
import { WindowClient } from '#main/window/window-client.ts';

describe('WindowClient', () => {
  it('is congested while a window does not acknowledge, and notifies when it caught up', () => {
    let drained = 0;
    const client = new WindowClient(() => undefined);
    client.onDrain(() => {
      drained += 1;
    });
    const push = (): void => client.send({ kind: 'sandbox_progress', line: '' });

    for (let i = 0; i < 7; i += 1) push();
    const before = client.isCongested();
    push();
    const full = client.isCongested();
    for (let i = 0; i < 5; i += 1) client.seen();
    const stillFull = client.isCongested();
    client.seen();

    expect({ before, full, stillFull, after: client.isCongested(), drained }).toEqual({
      before: false,
      full: true,
      stillFull: true,
      after: false,
      drained: 1,
    });
  });

  it('is not confused by acknowledgements of the previous page', () => {
    const client = new WindowClient(() => undefined);
    for (let i = 0; i < 20; i += 1) client.seen();
    for (let i = 0; i < 8; i += 1) client.send({ kind: 'sandbox_progress', line: '' });

    expect(client.isCongested()).toBe(true);
  });
});
