import type { StartHostProcess } from '../models/embedded/host-process.ts';
import { ConfinedProcess } from './confined-process.ts';
import { tooLargePicture, unreadablePicture } from './picture-errors.ts';
import { pictureKind } from './picture-kind.ts';
import {
  type DecodedPicture,
  type DecodeJob,
  PICTURE_LIMITS,
  type PictureJob,
  type PictureLimits,
} from './types.ts';

/** Decodes pictures, one at a time, in a process that is started on demand and ended when idle or over a limit. */
export class PictureDecoder implements AsyncDisposable {
  readonly #limits: PictureLimits;
  readonly #process: ConfinedProcess<PictureJob, DecodedPicture>;

  /** `root` is the app's folder. */
  constructor(
    root: string,
    {
      start,
      limits = {},
    }: {
      readonly start?: StartHostProcess | undefined;
      readonly limits?: Partial<PictureLimits>;
    } = {},
  ) {
    this.#limits = { ...PICTURE_LIMITS, ...limits };
    this.#process = new ConfinedProcess({
      ...{ root, start },
      name: 'picture-process',
      sourceDir: import.meta.dirname,
      options: this.#limits,
      timeMs: this.#limits.timeMs,
      failed: (cause) =>
        cause === undefined
          ? unreadablePicture('The decoder for its format failed.')
          : unreadablePicture('It is damaged: the decoder for its format failed.', cause),
      tooSlow: (timeMs) =>
        tooLargePicture(`Reading it took longer than ${Math.round(timeMs / 100) / 10} seconds.`),
    });
  }

  /**
   * Throws `PICTURE_UNREADABLE` for what is not a picture or a damaged one, `PICTURE_TOO_LARGE` for one beyond a
   * limit of bytes, pixels, time or memory.
   */
  async decode(
    bytes: Uint8Array,
    job: Omit<DecodeJob, 'kind'>,
    signal?: AbortSignal,
  ): Promise<DecodedPicture> {
    signal?.throwIfAborted();
    const kind = pictureKind(bytes);
    if (kind === null) {
      throw unreadablePicture(
        'It is not a picture of a kind that can be read (png, jpeg, webp, gif, bmp, tiff, svg, heic, avif).',
      );
    }
    const { bytes: most } = this.#limits;
    if (bytes.length > most) {
      throw tooLargePicture(`The picture has over ${Math.floor(most / 1024 / 1024)} MB.`);
    }
    return await this.#process.run({ ...job, kind, bytes }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}
