import { ARTIFACT_PAGE_SIZE, ARTIFACT_SAVE_BYTES } from '#contract/artifacts.ts';
import { AppError } from '#contract/errors.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

/** A larger file is not decoded for a small picture. */
const PICTURE_LIMIT_BYTES = 16 * 1024 * 1024;

export interface ArtifactRequestParts {
  readonly artifacts: Pick<ArtifactStore, 'list'>;
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  readonly pictures: Pick<PictureStore, 'preview'>;
}

/** Requests about what the agent made. A task that does not exist throws `NOT_FOUND`. */
export function artifactRequests(parts: ArtifactRequestParts) {
  const { artifacts, threads, sandbox, pictures } = parts;
  return {
    'artifacts.list': ({ threadId, limit = ARTIFACT_PAGE_SIZE, ...filter }) =>
      artifacts.list({
        ...filter,
        ...{ threadId: threadId === undefined ? undefined : threads.get(threadId).id, limit },
      }),
    'artifacts.preview': async ({ threadId, path }, { closed }) => {
      const { workspace } = sandbox.forTask(threads.get(threadId).id, 'auto');
      const { data, size } = await workspace.read(path, PICTURE_LIMIT_BYTES);
      if (data.length < size) return { problem: 'The picture is too large for a preview.' };
      try {
        return await pictures.preview(data, closed);
      } catch (error) {
        if (!(error instanceof AppError) || closed.aborted) throw error;
        return { problem: error.message };
      }
    },
    'artifacts.read': async ({ threadId, path }) => {
      const { workspace } = sandbox.forTask(threads.get(threadId).id, 'auto');
      const { data, size } = await workspace.read(path, ARTIFACT_SAVE_BYTES);
      if (data.length < size) {
        throw new AppError(
          'FILE_TOO_LARGE',
          `The file is larger than ${ARTIFACT_SAVE_BYTES / 1024 / 1024} MB. Copy it from the folder of the task: ${workspace.dir}`,
        );
      }
      return { fileName: path.slice(path.lastIndexOf('/') + 1), data: data.toString('base64') };
    },
  } satisfies Requests<'artifacts'>;
}
