import type { Duplex } from 'node:stream';
import { shownTarget } from '../egress/target.ts';
import type { EgressClient } from '../egress/types.ts';

/** The preview of the app that the task builds. */
export interface OwnPreview {
  /** `NAME.localhost:PORT`. */
  readonly host: string;
  /** Leads into the sandbox of the task, and no further. */
  readonly connect: () => Duplex;
}

/** The same egress, with the preview of the task's own app besides: the only address of this computer that it reaches. */
export function withPreview(client: EgressClient, preview: () => OwnPreview | null): EgressClient {
  return {
    refuse: (denied) => client.refuse(denied),
    connect: async (target, signal) => {
      const own = preview();
      if (own !== null && own.host === shownTarget(target)) return own.connect();
      return await client.connect(target, signal);
    },
  };
}

/** Whether an address is on the preview of the task's own app. */
export function isOnPreview(url: string | null, preview: OwnPreview | null): boolean {
  if (url === null || preview === null) return false;
  const target = URL.parse(url);
  return target?.protocol === 'http:' && target.host === preview.host;
}
