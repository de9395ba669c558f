import { pipeline, type Transform } from 'node:stream';
import { fromSystemError, TransportFailure } from './transport-failure.ts';

/**
 * The bytes of an answer as the server meant them. No compression is asked for, but some proxies compress all
 * the same. Throws `TransportFailure` for damaged data and for an encoding that is not known.
 */
export function unpacked(
  chunks: AsyncIterable<Buffer>,
  encoding: string | null,
): AsyncIterable<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase();
  return name === '' || name === 'identity' ? chunks : unpack(chunks, name);
}

async function* unpack(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const unpacker = unpackerOf(encoding);
  // A failure of the source destroys the unpacker, whose reader below gets it.
  pipeline(chunks, unpacker, () => undefined);
  try {
    for await (const bytes of unpacker) yield bytes as Buffer;
  } catch (error) {
    throw (
      fromSystemError(error) ??
      new TransportFailure('malformed', 'its compressed data is damaged', { cause: error })
    );
  }
}

function unpackerOf(encoding: string): Transform {
  const zlib = process.getBuiltinModule('node:zlib');
  // What has arrived is passed on at once.
  const flush = zlib.constants.Z_SYNC_FLUSH;
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush });
    case 'deflate':
      return zlib.createInflate({ flush });
    case 'br':
      return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new TransportFailure('malformed', `its encoding "${encoding}" is not known`);
  }
}
