import type { Message, ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import { findSeeing } from '../models/pictures/known-vision.ts';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import { withPictures } from '../models/pictures/with-pictures.ts';
import type { ChatModel, ModelService } from '../models/types.ts';
import { isPictureName, pictureKind } from '../pictures/picture-kind.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import { readPicture } from '../pictures/read-picture.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { RunContext } from './types.ts';

/** Enough to see the format of a file. */
const HEAD_BYTES = 4_096;

export interface TurnPictureParts {
  readonly pictures: Pick<PictureStore, 'add' | 'load'>;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
}

/** An attached file: a picture that is shown to models, or why it is not; both null for any other file. */
export interface ShownAttachment {
  readonly picture: PictureRef | null;
  readonly problem: string | null;
}

const NO_PICTURE: ShownAttachment = { picture: null, problem: null };

type Attachment = Message['attachments'][number];

/**
 * Decodes and keeps the pictures among the attached files, in their order. One that cannot be read is reported as a
 * stage, and stays a file of the workspace.
 */
export async function takePictures(
  { run, message, signal, emit }: RunContext,
  { pictures, sandbox }: TurnPictureParts,
): Promise<ShownAttachment[]> {
  const { threadId } = run;
  const { workspace } = sandbox.forTask(threadId, run.options.sandbox);
  const take = async ({ path, name, folder }: Attachment): Promise<ShownAttachment> => {
    if (folder !== undefined) return NO_PICTURE;
    try {
      const { data: head } = await workspace.read(path, HEAD_BYTES);
      if (pictureKind(head) === null && !isPictureName(name)) return NO_PICTURE;
      const bytes = await readPicture(path, workspace);
      const picture = await pictures.add(threadId, { name: path, bytes }, signal);
      return { picture, problem: null };
    } catch (error) {
      if (!(error instanceof AppError) || signal.aborted || error.code === 'DISK_FULL') throw error;
      if (!isPictureName(name) && !error.code.startsWith('PICTURE_')) return NO_PICTURE;
      emit({
        type: 'stage',
        name: `picture ${path}`,
        status: 'completed',
        description: `${name} is not sent as a picture: ${error.message}`,
        agent: 'executor',
      });
      return { picture: null, problem: error.message };
    }
  };
  const shown: ShownAttachment[] = [];
  for (const attachment of message.attachments) shown.push(await take(attachment));
  return shown;
}

/**
 * A model that sees: the one of the settings, the model of the task itself, or another one that is installed. Throws
 * `MODEL_LACKS_CAPABILITY` where none is known to see.
 */
export async function openVision(
  task: ChatModel,
  {
    models,
    settings,
    open,
    signal,
  }: {
    readonly models: Pick<ModelService, 'listServers'>;
    readonly settings: () => Settings;
    readonly open: (model: ModelRef) => Promise<ChatModel>;
    readonly signal: AbortSignal;
  },
): Promise<ChatModel> {
  const { visionModel } = settings();
  const ownSees = task.profile.vision === true ? task.ref : null;
  const ref = visionModel ?? ownSees ?? findSeeing(await models.listServers(signal), task.ref);
  if (ref === null) {
    throw new AppError(
      'MODEL_LACKS_CAPABILITY',
      'No model that sees pictures is known here. Install one, for example: hyperagent models pull ollama:gemma3:12b. Or choose one for pictures in the settings.',
    );
  }
  const model = await open(ref);
  if (model.profile.vision === true) return model;
  throw new AppError(
    'MODEL_LACKS_CAPABILITY',
    `${ref.name}, the model for pictures in the settings, is not known to see them. Choose another one, or check it: hyperagent models check ${ref.provider}:${ref.name}.`,
    { details: { model: ref.name } },
  );
}

/** `model` with the pictures of this run's task; says in the run once, when it is sent none. */
export function withTaskPictures(
  model: ChatModel,
  { run: { threadId }, emit }: RunContext,
  pictures: TurnPictureParts['pictures'],
): ChatModel {
  return withPictures(model, {
    load: (picture, size, signal) => pictures.load(threadId, picture, { size, signal }),
    onNotSent: ({ ref, profile }, names) =>
      emit({
        type: 'stage',
        name: `pictures ${ref.provider}:${ref.name}`,
        status: 'completed',
        description:
          profile.vision === false
            ? `${ref.name} does not see pictures, so it was not sent ${names.join(', ')}`
            : `It is not known whether ${ref.name} sees pictures, so it was not sent ${names.join(', ')}; a check of the model finds out`,
        agent: 'executor',
      }),
  });
}
