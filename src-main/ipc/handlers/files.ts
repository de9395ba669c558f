import type { RequestOutput } from '#contract/requests.ts';
import { mimeTypeOf } from '../mime-types.ts';
import type { AppServices, RequestHandlers } from '../types.ts';

/** Size limits for a viewer. Text may be cut; an image is useless in part, so it gets more. */
const TEXT_LIMIT_BYTES = 1024 * 1024;
const BINARY_LIMIT_BYTES = 16 * 1024 * 1024;

export function fileHandlers({
  sandbox,
  threads,
}: AppServices): Pick<RequestHandlers, 'files.list' | 'files.read'> {
  const workspaceOf = (threadId: string) => {
    // Throws for a task that does not exist, before its id becomes part of a path.
    const { thread } = threads.get(threadId);
    return sandbox.forTask(thread.id, 'auto').workspace;
  };
  return {
    'files.list': ({ threadId }) => workspaceOf(threadId).list('.', { recursive: true }),
    'files.read': async ({ threadId, path }) => {
      const { data, size } = await workspaceOf(threadId).read(path, BINARY_LIMIT_BYTES);
      return describeFile(path, data, size);
    },
  };
}

/** Text if the bytes are text, whatever the extension; otherwise base64. */
function describeFile(path: string, data: Buffer, size: number): RequestOutput<'files.read'> {
  const head = data.subarray(0, TEXT_LIMIT_BYTES);
  const text = decodeText(head, head.length < size);
  const mimeType = mimeTypeOf(path);
  if (text !== null) {
    return {
      path,
      mimeType: mimeType ?? 'text/plain',
      size,
      encoding: 'utf8',
      data: text,
      truncated: head.length < size,
    };
  }
  return {
    path,
    mimeType: mimeType ?? 'application/octet-stream',
    size,
    encoding: 'base64',
    data: data.toString('base64'),
    truncated: data.length < size,
  };
}

/** The text, or null if the bytes are not UTF-8. A cut may split the last character. */
function decodeText(data: Buffer, isCut: boolean): string | null {
  if (data.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data, { stream: isCut });
  } catch {
    // Not UTF-8: it is shown as binary.
    return null;
  }
}
