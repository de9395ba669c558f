import type { AppServices, RequestHandlers } from '../types.ts';

export function threadHandlers({
  threads,
  attachments,
}: AppServices): Pick<
  RequestHandlers,
  'threads.list' | 'threads.get' | 'threads.rename' | 'threads.delete' | 'attachments.add'
> {
  return {
    'threads.list': ({ search }) => ({ threads: threads.list(search) }),
    'threads.get': ({ threadId }) => threads.get(threadId),
    'threads.rename': ({ threadId, title }) => ({ thread: threads.rename(threadId, title) }),
    'threads.delete': async ({ threadId }) => {
      await threads.remove(threadId);
      return {};
    },
    'attachments.add': ({ name, data }) => attachments.add(name, Buffer.from(data, 'base64')),
  };
}
