import { createInterface } from 'node:readline/promises';
import type { AttachedPicture } from '#contract/attachments.ts';
import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RequestInput, RequestOutput } from '#contract/requests.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { isAbortError } from '../base/abort.ts';
import { UsageError } from './exit-codes.ts';
import { printError } from './output.ts';

/** An attached file that is, or says that it is, a picture. */
export interface CheckedPicture {
  readonly name: string;
  readonly picture: AttachedPicture;
}

export interface PictureCheck {
  readonly api: {
    readonly 'models.sight': (
      input: RequestInput<'models.sight'>,
      caller: { readonly closed: AbortSignal },
    ) => Promise<RequestOutput<'models.sight'>>;
  };
  /** As the user asked for it; the settings decide if absent. */
  readonly model?: ModelRef | undefined;
  /** The user can be asked. */
  readonly attended: boolean;
  /** The user has agreed that a model that does not see gets the paths only. */
  readonly asFiles: boolean;
}

/**
 * Says before anything is sent which pictures the model will not see, and returns the model to use. Throws
 * `UsageError` where it does not see, and nobody can be asked or the user declines.
 */
export async function checkPictures(
  files: readonly CheckedPicture[],
  { api, model, attended, asFiles }: PictureCheck,
): Promise<ModelRef | undefined> {
  for (const { name, picture } of files) {
    if (!('problem' in picture)) continue;
    const line = `${name} is attached as a file, not as a picture: ${picture.problem}`;
    printError(`${makeVisible(line)}\n`);
  }
  const names = files.filter(({ picture }) => !('problem' in picture)).map(({ name }) => name);
  if (names.length === 0 || asFiles) return model;
  const sight = await askForSight(api, model);
  if (sight === null || sight.vision === true) return model;
  const { other } = sight;
  const why =
    sight.vision === false
      ? `${sight.model.name} does not see pictures`
      : `It is not known whether ${sight.model.name} sees pictures`;
  const what = `${why}, so ${names.join(', ')} would not be shown to it.`;
  const better = other === null ? null : `${other.provider}:${other.name}`;
  if (attended) return (await askUser(what, better)) === 'other' ? (other ?? model) : model;
  const use = better === null ? 'Use a model that does' : `Use --model ${better}, which does`;
  throw new UsageError(`${what} ${use}, or --pictures-as-files to give it the path only.`);
}

/** Null where the model cannot be opened: the run itself says why. */
async function askForSight(api: PictureCheck['api'], model: ModelRef | undefined) {
  try {
    const { signal: closed } = new AbortController();
    return await api['models.sight'](model === undefined ? {} : { model }, { closed });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function askUser(what: string, better: string | null): Promise<'other' | 'send'> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const use = better === null ? '' : `u use ${better}, which does, `;
  try {
    printError(`${makeVisible(what)}\n`);
    for (;;) {
      const answer = (await lines.question(makeVisible(`${use}s send the path only, c cancel > `)))
        .trim()
        .toLowerCase();
      if (answer === 'u' && better !== null) return 'other';
      if (answer === 's') return 'send';
      if (answer === 'c') break;
    }
  } catch (error) {
    // Ctrl+C or Ctrl+D: no answer will come.
    if (!isAbortError(error)) throw error;
  } finally {
    lines.close();
  }
  throw new UsageError('Nothing was sent.');
}
