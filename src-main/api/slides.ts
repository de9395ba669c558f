import type { SandboxService } from '../sandbox/types.ts';
import type { SlideService } from '../slides/slide-service.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface SlideRequestParts {
  readonly slides: Pick<
    SlideService,
    'open' | 'draw' | 'save' | 'setTemplate' | 'pdf' | 'checkInOffice'
  >;
  readonly threads: Pick<ThreadReader, 'get'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
}

/** Requests about presentations. A task that does not exist throws `NOT_FOUND`. */
export function slideRequests({ slides, threads, sandbox }: SlideRequestParts) {
  const sandboxOf = (threadId: string) => sandbox.forTask(threads.get(threadId).id, 'auto');
  const fileOf = ({ threadId, path }: { readonly threadId: string; readonly path: string }) => {
    return { threadId, path, files: sandboxOf(threadId).workspace.withoutLinks() };
  };
  return {
    'slides.open': (given, { closed }) => slides.open(fileOf(given), closed),
    'slides.draw': async ({ page, width, hash, ...given }, { closed }) => {
      const png = await slides.draw({ ...fileOf(given), hash }, { page, width }, closed);
      return { png: Buffer.from(png).toString('base64') };
    },
    'slides.save': ({ deck, hash, ...given }, { closed }) =>
      slides.save(deck, { ...fileOf(given), hash }, closed),
    'slides.template': ({ template, hash, ...given }, { closed }) =>
      slides.setTemplate(template, { ...fileOf(given), hash }, closed),
    'slides.office': (given, { closed }) =>
      slides.checkInOffice(fileOf(given), sandboxOf(given.threadId), closed),
    'slides.pdf': async (given, { closed }) => {
      const pdf = await slides.pdf(fileOf(given), closed);
      const name = given.path.slice(given.path.lastIndexOf('/') + 1).replace(/\.pptx$/i, '');
      return { fileName: `${name}.pdf`, data: Buffer.from(pdf).toString('base64') };
    },
  } satisfies Requests<'slides'>;
}
