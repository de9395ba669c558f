import type { ChatMessage, ChatModel, ImagePart } from '../types.ts';
import type { PictureRef } from './picture-ref.ts';
import { type PictureSize, pictureRules } from './picture-rules.ts';

export interface PictureSource {
  /** The bytes of a picture in this size; null where they are no longer kept. */
  readonly load: (
    picture: PictureRef,
    size: PictureSize,
    signal: AbortSignal,
  ) => Promise<ImagePart | null>;
  /** Called once for a model that is not sent the pictures of its messages. */
  readonly onNotSent: (model: ChatModel, names: readonly string[]) => void;
}

type UserMessage = Extract<ChatMessage, { role: 'user' }>;

/**
 * Wraps `model` so that it is sent the pictures that its messages refer to, in the size that its rules ask for. Only
 * a model that is known to see is sent any; others get a sentence in their place. A message is sent with the same
 * bytes in every request.
 */
export function withPictures(model: ChatModel, { load, onNotSent }: PictureSource): ChatModel {
  const rules = pictureRules(model.ref);
  const written = new WeakMap<ChatMessage, Promise<readonly ChatMessage[]>>();
  let hasReported = false;

  const partsOf = async (
    pictures: readonly PictureRef[],
    signal: AbortSignal,
  ): Promise<{ images: ImagePart[]; note: string }> => {
    if (model.profile.vision !== true) {
      return { images: [], note: notSent(pictures) };
    }
    const loaded = await Promise.all(
      pictures.map((picture) => load(picture, rules.sizeFor(picture), signal)),
    );
    const lost = pictures.filter((_, i) => loaded[i] === null);
    return {
      images: loaded.filter((one) => one !== null),
      note: lost.length > 0 ? gone(lost) : '',
    };
  };

  const expandUser = async (message: UserMessage, signal: AbortSignal): Promise<ChatMessage[]> => {
    const { pictures = [], images: own = [], ...rest } = message;
    const { images, note } = await partsOf(pictures, signal);
    const content = note === '' ? rest.content : `${rest.content}\n\n${note}`;
    const all = [...own, ...images];
    return [{ ...rest, content, ...(all.length > 0 && { images: all }) }];
  };

  /** Pictures of results follow the last result of their round, as from the user: results hold text only. */
  const expandResults = async (
    results: readonly ToolMessage[],
    signal: AbortSignal,
  ): Promise<ChatMessage[]> => {
    const plain = results.map(({ pictures: _pictures, ...message }) => message);
    const pictures = results.flatMap((message) => message.pictures ?? []);
    const { images, note } = await partsOf(pictures, signal);
    const names = pictures.map(({ name }) => name).join(', ');
    const content = note === '' ? `[Pictures from these results, in order: ${names}]` : note;
    const shown = { ...(images.length > 0 && { images }), ofResults: true as const };
    return [...plain, { role: 'user', content, ...shown }];
  };

  const once = (
    key: ChatMessage,
    signal: AbortSignal,
    expand: () => Promise<readonly ChatMessage[]>,
  ): Promise<readonly ChatMessage[]> => {
    const known = written.get(key);
    if (known !== undefined) return known;
    const made = expand();
    written.set(key, made);
    // One that failed or was stopped is made again by the next request.
    made.catch(() => written.delete(key));
    signal.throwIfAborted();
    return made;
  };

  const expandAll = async (
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): Promise<readonly ChatMessage[]> => {
    const names = messages.flatMap((message) => picturesOf(message).map(({ name }) => name));
    if (names.length === 0) return messages;
    if (model.profile.vision !== true && !hasReported) {
      hasReported = true;
      onNotSent(model, [...new Set(names)]);
    }
    const all: ChatMessage[] = [];
    for (let at = 0; at < messages.length; at += 1) {
      const message = messages[at];
      if (message === undefined) break;
      if (message.role === 'user' && picturesOf(message).length > 0) {
        all.push(...(await once(message, signal, () => expandUser(message, signal))));
      } else if (message.role === 'tool') {
        const results = resultsFrom(messages, at);
        at += results.length - 1;
        const has = results.some((result) => picturesOf(result).length > 0);
        all.push(
          ...(has ? await once(message, signal, () => expandResults(results, signal)) : results),
        );
      } else {
        all.push(message);
      }
    }
    return all;
  };

  return {
    ref: model.ref,
    profile: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      const messages = await expandAll(request.messages, options.signal);
      return await model.send({ ...request, messages }, options);
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/** The results of one round, from its first one. */
function resultsFrom(messages: readonly ChatMessage[], at: number): ToolMessage[] {
  const end = messages.findIndex((message, i) => i > at && message.role !== 'tool');
  return messages
    .slice(at, end < 0 ? undefined : end)
    .filter((message): message is ToolMessage => message.role === 'tool');
}

/** The pictures that a message refers to. */
export function picturesOf(message: ChatMessage): readonly PictureRef[] {
  return message.role === 'user' || message.role === 'tool' ? (message.pictures ?? []) : [];
}

function notSent(pictures: readonly PictureRef[]): string {
  const names = pictures.map(({ name }) => name).join(', ');
  return `[You do not see pictures, so ${names} was not sent to you. Do not guess what is in it: analyze_image asks a model that sees.]`;
}

function gone(pictures: readonly PictureRef[]): string {
  const names = pictures.map(({ name }) => name).join(', ');
  return `[${names} is no longer kept on this computer and was not sent.]`;
}
