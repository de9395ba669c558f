import { EgressDenied } from '../egress/denied.ts';
import type { EgressClient } from '../egress/types.ts';

/** The same egress, until its connections have brought so many bytes together: then they break, and none is opened. */
export function boundedEgress(client: EgressClient, maxBytes: number): EgressClient {
  let left = maxBytes;
  return {
    refuse: (denied) => client.refuse(denied),
    connect: async (target, signal) => {
      if (left <= 0) {
        throw new EgressDenied('unreachable', 'This page has loaded too much.', target);
      }
      const connection = await client.connect(target, signal);
      connection.on('data', (bytes: Buffer) => {
        left -= bytes.length;
        if (left <= 0) connection.destroy();
      });
      return connection;
    },
  };
}
