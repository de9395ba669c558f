import { describe, expect, it } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { PushMessage } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { RunEventListener } from '#main/run/types.ts';
import type { Client } from '#main/transport/client-outbox.ts';
import { PushHub } from '#main/transport/push-hub.ts';

/** A log that grows on demand and counts how often it is read. */
class GrowingLog {
  readonly all: RunEvent[] = [];
  reads = 0;
  readonly #listeners = new Set<RunEventListener>();

  grow(count: number): void {
    const events = this.store(count);
    this.publish(events);
  }

  publish(events: readonly RunEvent[]): void {
    for (const listener of this.#listeners) listener(events);
  }

  /** Stores events that are published later. */
  store(count: number): RunEvent[] {
    const from = this.all.length;
    const events = Array.from(
      { length: count },
      (_, i): RunEvent => ({
        type: 'token',
        messageId: 'm',
        text: `${from + i + 1}`,
        runId: 'run_1',
        seq: from + i + 1,
        at: 0,
      }),
    );
    this.all.push(...events);
    return events;
  }

  readonly events = (_runId: string, afterSeq: number, limit: number): RunEvent[] => {
    this.reads += 1;
    return this.all.slice(afterSeq, afterSeq + limit);
  };

  readonly listen = (_runId: string, listener: RunEventListener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/** A window that can stop reading. */
class SlowClient implements Client {
  readonly closing = new AbortController();
  readonly closed = this.closing.signal;
  readonly received: PushMessage[] = [];
  congested = false;
  readonly #listeners = new Set<() => void>();

  send(message: PushMessage): void {
    this.received.push(message);
  }

  isCongested(): boolean {
    return this.congested;
  }

  onDrain(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  drain(): void {
    this.congested = false;
    for (const listener of this.#listeners) listener();
  }

  get largestPush(): number {
    return Math.max(
      ...this.received.map((push) => (push.kind === 'events' ? push.events.length : 0)),
    );
  }

  get seqs(): number[] {
    return this.received.flatMap((message) =>
      message.kind === 'events' ? message.events.map((event) => event.seq) : [],
    );
  }
}

function setUp() {
  const log = new GrowingLog();
  const hub = new PushHub(log, silentLogger);
  const client = new SlowClient();
  const outbox = hub.attach(client);
  return { log, hub, client, outbox };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('PushHub', () => {
  it('delivers earlier and new events in order, each once', async () => {
    const { log, client, outbox } = setUp();
    log.grow(1200);
    outbox.subscribe('run_1', 0);
    log.grow(3);
    await until(() => client.seqs.length >= 600);
    log.grow(800);
    await until(() => client.seqs.length >= 2003);
    log.grow(2);
    await until(() => client.seqs.length >= 2005);

    expect(client.seqs).toEqual(upTo(2005));
    expect(client.largestPush).toBeLessThanOrEqual(EVENT_PAGE_SIZE);
  });

  it('starts after the last event of the window', async () => {
    const { log, client, outbox } = setUp();
    log.grow(10);
    outbox.subscribe('run_1', 8);
    await until(() => client.seqs.length >= 2);

    expect(client.seqs).toEqual([9, 10]);
  });

  it('sends an event only once if it was read from the log before it was published', async () => {
    const { log, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    const early = log.store(3);
    await until(() => client.seqs.length === 3);
    log.publish(early);
    log.grow(2);
    await until(() => client.seqs.length >= 5);

    expect(client.seqs).toEqual(upTo(5));
  });

  it('reads the log again after a gap', async () => {
    const { log, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    await until(() => log.reads === 1);
    log.store(3);
    log.grow(1);
    await until(() => client.seqs.length >= 4);

    expect(client.seqs).toEqual(upTo(4));
  });

  it('joins events of one frame into one push, without reading the log', async () => {
    const { log, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    await until(() => log.reads === 1);
    for (let i = 0; i < 50; i += 1) log.grow(1);
    await until(() => client.seqs.length >= 50);

    expect(client.received).toHaveLength(1);
    expect(log.reads).toBe(1);
  });

  it('drops what a slow window cannot take, and continues from the log', async () => {
    const { log, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    log.grow(5);
    await until(() => client.seqs.length === 5);
    client.congested = true;
    const readsBefore = log.reads;
    for (let i = 0; i < 200; i += 1) log.grow(100);
    await new Promise((resolve) => setTimeout(resolve, 60));

    expect(client.seqs).toEqual(upTo(5));
    expect(log.reads).toBe(readsBefore);

    client.drain();
    await until(() => client.seqs.length >= 20_005);
    expect(client.seqs).toEqual(upTo(20_005));
    expect(client.largestPush).toBe(EVENT_PAGE_SIZE);
  });

  it('keeps only the latest notice per subject while the window is slow', async () => {
    const { hub, client } = setUp();
    client.congested = true;
    for (let i = 0; i < 1000; i += 1) hub.broadcast({ kind: 'sandbox_progress', line: `${i}` });
    hub.broadcast({ kind: 'thread_deleted', threadId: 't' });
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(client.received).toEqual([]);

    client.drain();
    await until(() => client.received.length >= 2);
    expect(client.received).toEqual([
      { kind: 'sandbox_progress', line: '999' },
      { kind: 'thread_deleted', threadId: 't' },
    ]);
  });

  it('releases everything when the window closes', async () => {
    const { log, hub, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    expect(log.listenerCount).toBe(1);
    client.closing.abort();
    log.grow(3);
    hub.broadcast({ kind: 'sandbox_progress', line: 'x' });
    await new Promise((resolve) => setTimeout(resolve, 40));

    expect(log.listenerCount).toBe(0);
    expect(client.received).toEqual([]);
  });

  it('stops pushing a run that the window unsubscribed from', async () => {
    const { log, client, outbox } = setUp();
    outbox.subscribe('run_1', 0);
    outbox.unsubscribe('run_1');
    log.grow(3);
    await new Promise((resolve) => setTimeout(resolve, 40));

    expect(client.received).toEqual([]);
  });

  it('sends pictures of a page at once to the window that watches, and drops those that it cannot take', async () => {
    const { hub, client, outbox } = setUp();
    const other = new SlowClient();
    hub.attach(other);
    const frame = (number: number) => ({ threadId: 'thr_1', number, data: 'AAAA' });
    const asked: string[] = [];
    const show = (number: number): void =>
      outbox.showFrame(frame(number), () => asked.push(`after ${number}`));
    show(1);
    expect(client.received).toEqual([{ kind: 'browser_frame', frame: frame(1) }]);
    client.congested = true;
    show(2);
    show(3);
    expect(asked).toEqual([]);
    client.drain();
    client.drain();
    expect(asked).toEqual(['after 3']);
    // What is sent later comes after everything that was kept.
    hub.broadcast({ kind: 'skills_changed' });
    await until(() => client.received.length + other.received.length >= 3);
    expect(client.received.slice(1)).toEqual([{ kind: 'skills_changed' }]);
    show(4);
    client.closing.abort();
    show(5);
    expect(client.received.slice(2)).toEqual([{ kind: 'browser_frame', frame: frame(4) }]);
    expect(other.received).toEqual([{ kind: 'skills_changed' }]);
  });
});
