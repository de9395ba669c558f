import type { AppEgress } from '../egress/app-egress.ts';
import { readImageRecord } from '../images/image-files.ts';
import { type ImageService, imageAgentsOfUser } from '../images/image-service.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface ImageRequestParts {
  readonly images: Pick<ImageService, 'servers'>;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
}

/** Requests about making pictures. A task that does not exist throws `NOT_FOUND`. */
export function imageRequests({ images, egress, threads, sandbox }: ImageRequestParts) {
  return {
    'images.servers': (_input, { closed }) => images.servers(imageAgentsOfUser(egress), closed),
    'images.open': async ({ threadId, path }) => {
      const { workspace } = sandbox.forTask(threads.get(threadId).id, 'auto');
      const found = await readImageRecord(workspace.withoutLinks(), path);
      return { record: found?.record ?? null };
    },
  } satisfies Requests<'images'>;
}
