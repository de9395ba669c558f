/** The Connect protocol's frames, written apart from the client's so that one checks the other. */
export function frame(message: unknown, flags = 0): Buffer {
  const json = Buffer.from(JSON.stringify(message), 'utf8');
  const head = Buffer.from([flags, 0, 0, 0, 0]);
  head.writeUInt32BE(json.length, 1);
  return Buffer.concat([head, json]);
}

/** The end of a stream, with or without an error. */
export function lastFrame(error?: { code: string; message: string }): Buffer {
  return frame(error === undefined ? {} : { error }, 2);
}

/** The one message of a request that could be a stream. */
export function unframe(body: Buffer): unknown {
  const length = body.readUInt32BE(1);
  if (body.readUInt8(0) !== 0 || body.length !== 5 + length) throw new Error('not one frame');
  return JSON.parse(body.subarray(5).toString('utf8'));
}
