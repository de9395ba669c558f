import type { CallToolResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { makeVisible } from '#contract/visible-text.ts';
import type { CallAnswer } from './types.ts';

/** Of one answer; the pipeline shortens what a model reads further. */
const MOST_CHARS = 200_000;
const MOST_PICTURES = 4;
const MOST_PICTURE_BYTES = 8 * 1024 * 1024;
const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;

const text = z.string().catch('');
/** A part of an answer, as far as it can be used. */
const Part = z.looseObject({
  type: text,
  text,
  data: text,
  mimeType: text,
  uri: text,
  name: text,
  resource: z.looseObject({ uri: text, text: z.string().optional().catch(undefined) }).catch({
    uri: '',
  }),
});

type Part = z.infer<typeof Part>;

/**
 * What a server answered, as text and pictures. Links are named, never opened; hidden characters are shown by their
 * names; what is no part of an answer is named as such.
 */
export function toAnswer(tool: string, result: CallToolResult): CallAnswer {
  const pieces: string[] = [];
  const pictures: CallAnswer['pictures'][number][] = [];
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  for (const one of content) {
    const part = readPart(one);
    const picture = part?.type === 'image' ? pictureIn(part.mimeType, part.data) : null;
    if (picture !== null && pictures.length < MOST_PICTURES) {
      pictures.push({ name: `${tool} ${pictures.length + 1}`, bytes: picture });
    } else pieces.push(partText(part));
  }
  const data = result.structuredContent;
  if (pieces.length === 0 && data !== undefined) pieces.push(JSON.stringify(data));
  return {
    text: answerText(pieces),
    isError: result.isError === true,
    pictures,
    ...(data === undefined ? {} : { data }),
  };
}

/** A part of an answer; undefined if it is not one. */
export function readPart(one: unknown): Part | undefined {
  return safeParse(Part, one).data;
}

/** A part as text. What is not text is named in parentheses. */
export function partText(part: Part | undefined): string {
  if (part === undefined) return '(a part that cannot be read)';
  const { type, text: words, mimeType, uri, name, resource } = part;
  switch (type) {
    case 'text':
      return words;
    case 'image':
      return `(a picture that cannot be shown: ${mimeType.slice(0, 50)})`;
    case 'audio':
      return `(a sound that cannot be played: ${mimeType.slice(0, 50)})`;
    case 'resource_link':
      return `(a link to ${uri.slice(0, 500)}: ${name.slice(0, 200)})`;
    case 'resource':
      return resource.text === undefined
        ? `(data of ${resource.uri.slice(0, 500)})`
        : `${resource.uri.slice(0, 500)}:\n${resource.text}`;
    default:
      return `(a part of an unknown kind: ${type.slice(0, 50)})`;
  }
}

/** The bytes of a picture; null for what is certainly none. */
function pictureIn(mimeType: string, data: string): Buffer | null {
  if (!PICTURES.test(mimeType) || data.length > MOST_PICTURE_BYTES * 1.4) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length > 0 && bytes.length <= MOST_PICTURE_BYTES ? bytes : null;
}

/** Joins parts to one text of bounded length, with hidden characters shown by their names. */
export function answerText(pieces: readonly string[]): string {
  const whole = pieces.join('\n');
  const visible = makeVisible(whole.slice(0, MOST_CHARS));
  const isCut = whole.length > MOST_CHARS || visible.length > MOST_CHARS;
  return isCut ? `${visible.slice(0, MOST_CHARS)}\n(the rest was left off)` : visible;
}
