import { ARTIFACT_PAGE_SIZE, type Artifact, artifactKind } from '#contract/artifacts.ts';
import type { AttachedPicture } from '#contract/attachments.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import type { FakeState } from './fake-bridge.ts';
import { Refusal } from './refusal.ts';

/** A chart of four bars. */
const PREVIEW =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAJ0lEQVR42mN49PEdSYhhiGrgzk6AIPprQJYYhBpwsUnXQIyiQa4BANt4DsBnbSI/AAAAAElFTkSuQmCC';

export interface FakeArtifactParts {
  readonly state: () => FakeState;
  readonly eventsOf: (runId: string) => readonly RunEvent[];
}

/** What runs made, read from their logs at each request. */
export function fakeArtifactRequests({ state, eventsOf }: FakeArtifactParts) {
  const all = (): Artifact[] => {
    const changes = state().runs.flatMap((run) =>
      eventsOf(run.id).flatMap((event) =>
        event.type === 'workspace_update' ? [{ run, event }] : [],
      ),
    );
    const byFile = new Map<string, Artifact>();
    for (const [at, { run, event }] of changes.sort((a, b) => a.event.at - b.event.at).entries()) {
      const { threadId, id: runId } = run;
      const { path, operation, size, origin } = event;
      const key = JSON.stringify([threadId, path]);
      const known = byFile.get(key);
      const isDeleted = operation === 'delete';
      if (isDeleted && known !== undefined) byFile.set(key, { ...known, isDeleted });
      if (isDeleted || origin === 'attachment' || origin === 'other') continue;
      const threadTitle = state().threads.find(({ id }) => id === threadId)?.title ?? '';
      byFile.set(key, {
        ...{ id: at + 1, threadId, threadTitle, runId, seq: event.seq, at: event.at },
        origin,
        ...{ path, kind: artifactKind(path), size, isDeleted },
      });
    }
    return [...byFile.values()].sort((a, b) => b.id - a.id);
  };
  return {
    'artifacts.list': (input: RequestInput<'artifacts.list'>): RequestOutput<'artifacts.list'> => {
      const { threadId, kind, words = '', beforeId = Infinity, limit = ARTIFACT_PAGE_SIZE } = input;
      const wanted = words.toLowerCase().split(/\s+/);
      const found = all()
        .filter(({ id }) => id < beforeId)
        .filter((one) => threadId === undefined || one.threadId === threadId)
        .filter((one) => kind === undefined || one.kind === kind)
        .filter(({ path }) => wanted.every((word) => path.toLowerCase().includes(word)));
      const artifacts = found.slice(0, limit);
      return { artifacts, next: found.length > limit ? (artifacts.at(-1)?.id ?? null) : null };
    },
    'artifacts.preview': ({ path }: RequestInput<'artifacts.preview'>): AttachedPicture =>
      path.includes('broken')
        ? { problem: 'The picture cannot be read.' }
        : { width: 800, height: 600, preview: PREVIEW },
    'artifacts.read': ({ path }: RequestInput<'artifacts.read'>) => {
      const file = state().files.get(path);
      if (file === undefined) throw new Refusal('NOT_FOUND', `There is no file ${path}.`);
      const data = file.encoding === 'base64' ? file.data : btoa(file.data);
      return { fileName: path.slice(path.lastIndexOf('/') + 1), data };
    },
  };
}
