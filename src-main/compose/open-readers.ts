import type { DisposalStack } from '../base/disposable.ts';
import { DocumentReader } from '../documents/document-reader.ts';
import { PictureDecoder } from '../pictures/picture-decoder.ts';
import { PictureStore } from '../pictures/picture-store.ts';
import { ScanReader } from '../scans/scan-reader.ts';
import { FOLDER_SCANS } from '../scans/types.ts';
import { SlideService } from '../slides/slide-service.ts';
import type { ComposeOptions } from './app.ts';

export interface ReaderParts {
  /** The app's folder. */
  readonly root: string;
  /** Where the pictures of tasks are kept. */
  readonly picturesDir: string;
  readonly closing: DisposalStack;
}

/** What reads, draws and writes files of formats, each in a thread or process of its own. */
export function openReaders(
  { startHost: start }: Pick<ComposeOptions, 'startHost'>,
  { root, picturesDir, closing }: ReaderParts,
): {
  readonly scans: ScanReader;
  /** Of its own: a folder of scans takes hours, and a task does not wait for that. */
  readonly libraryScans: ScanReader;
  readonly documents: DocumentReader;
  readonly pictures: PictureStore;
  readonly slides: SlideService;
  readonly decoder: PictureDecoder;
} {
  const scans = new ScanReader(root, { start });
  const libraryScans = new ScanReader(root, { start, limits: FOLDER_SCANS });
  const documents = new DocumentReader(root, {}, scans.read);
  const decoder = new PictureDecoder(root, { start });
  const pictures = new PictureStore(picturesDir, decoder);
  const slides = new SlideService(root, pictures);
  for (const opened of [scans, libraryScans, documents, decoder, slides]) {
    closing.add(() => opened[Symbol.asyncDispose]());
  }
  return { scans, libraryScans, documents, pictures, slides, decoder };
}
