import { Duplex } from 'node:stream';

/** What agents of HTTP ask of a socket beside its bytes. */
const asSocket = <Stream extends Duplex>(stream: Stream): Stream => {
  const itself = (): Stream => stream;
  stream.on('error', () => undefined);
  return Object.assign(stream, {
    ...{ setKeepAlive: itself, setNoDelay: itself, setTimeout: itself, ref: itself, unref: itself },
  });
};

/** Gives one piece after the other, each in a turn of the loop of its own, as sockets do. */
function giver(chunks: readonly Buffer[]): {
  give: (stream: Duplex) => void;
  given: Promise<void>;
} {
  const left = [...chunks];
  const { promise: given, resolve } = Promise.withResolvers<void>();
  const give = (stream: Duplex): void => {
    setImmediate(() => {
      const next = left.shift();
      if (next === undefined) resolve();
      stream.push(next ?? null);
    });
  };
  return { give, given };
}

/** A connection that says `chunks`, and takes whatever is written to it. */
export function speaker(chunks: readonly Buffer[]): Duplex & { readonly given: Promise<void> } {
  const { give, given } = giver(chunks);
  const stream = new Duplex({
    read() {
      give(this);
    },
    write: (_chunk, _encoding, done) => done(),
  });
  return Object.assign(asSocket(stream), { given });
}

/** The same of a server, which says nothing before it was asked. */
export function answering(chunks: readonly Buffer[]): Duplex {
  const { give } = giver(chunks);
  let isAsked = false;
  let isWanted = false;
  const stream: Duplex = new Duplex({
    read() {
      isWanted = true;
      if (isAsked) give(stream);
    },
    write(_chunk, _encoding, done) {
      const isFirst = !isAsked;
      isAsked = true;
      done();
      if (isFirst && isWanted) give(stream);
    },
  });
  return asSocket(stream);
}

/** Until all was said, or whoever was told has gone or listens no more, and some turns more. */
export async function heard(stream: Duplex & { readonly given: Promise<void> }): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void stream.given.then(end);
  stream.once('close', end);
  let [seen, idle] = [-1, 0];
  while (!isOver && idle < 40) {
    await turns(5);
    idle = stream.readableLength === seen ? idle + 1 : 0;
    seen = stream.readableLength;
    if (seen === 0) idle = Math.min(idle, 39);
  }
  await turns(12);
}

/** The pieces, each in a turn of the loop of its own. */
export async function* paced<Piece>(pieces: readonly Piece[]): AsyncGenerator<Piece> {
  for (const piece of pieces) {
    yield piece;
    await turns(1);
  }
}

/** Some turns of the loop: what events began goes on. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** When nothing more comes of it. */
export function over(stream: Duplex | NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    stream
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
  });
}
