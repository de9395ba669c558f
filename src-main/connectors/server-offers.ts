import { z } from 'zod';
import type { ConnectorOffers, OfferedPrompt, OfferedResource } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from '#contract/limits.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { makeVisible, visibleSegments } from '#contract/visible-text.ts';
import { extensionOf } from '../base/mime-types.ts';
import { answerText, partText } from './call-answer.ts';
import type { ListedOffers } from './server-lists.ts';
import type { OfferedFile } from './types.ts';

const MOST_RESOURCES = 500;
const MOST_PROMPTS = 100;
const MOST_ARGUMENTS = 30;
/** Of a prompt: messages, and parts of each. */
const MOST_PARTS = 10_000;
const DESCRIPTION_CHARS = 300;
/** Of a file's name without its ending, in UTF-8: systems take 255 with it. */
const FILE_NAME_BYTES = 100;

/** Words that are only shown: what is no text is none, and of long ones the beginning is enough. */
const words = (limit: number) =>
  z
    .string()
    .catch('')
    .transform((text) =>
      text
        .slice(0, limit)
        .replace(/[\ud800-\udbff]$/, '')
        .trim(),
    );
/** What a server is asked by: never cut. */
const name = z.string().min(1).max(OFFER_NAME_CHARS);

const Resource = z
  .object({
    uri: z.string().min(1).max(OFFER_URI_CHARS),
    name: words(OFFER_NAME_CHARS),
    title: words(OFFER_NAME_CHARS),
    description: words(DESCRIPTION_CHARS),
    mimeType: words(100),
    size: z.int().nonnegative().nullable().catch(null),
  })
  .transform(
    ({ title, ...resource }): OfferedResource => ({
      ...resource,
      name: title || resource.name || resource.uri.slice(0, OFFER_NAME_CHARS),
    }),
  );

const Prompt = z
  .object({
    name,
    title: words(OFFER_NAME_CHARS),
    description: words(DESCRIPTION_CHARS),
    arguments: z
      .array(
        z.object({
          name,
          description: words(DESCRIPTION_CHARS),
          required: z.boolean().catch(false),
        }),
      )
      .max(MOST_ARGUMENTS)
      .nullish(),
  })
  .transform(
    ({ arguments: given, ...prompt }): OfferedPrompt => ({
      ...prompt,
      title: prompt.title || prompt.name,
      arguments: [...new Map((given ?? []).map((one) => [one.name, one])).values()].map(
        ({ required, ...argument }) => ({ ...argument, isRequired: required }),
      ),
    }),
  );

/**
 * What a server offers for messages, out of its lists. Left out are what it could not be asked for again, as of another
 * address or name than it has here, and all but the first of what has one address or name.
 */
export function offersIn(listed: ListedOffers): ConnectorOffers {
  return {
    resources: firstOfEach(listed.resources, Resource, ({ uri }) => uri).slice(0, MOST_RESOURCES),
    prompts: firstOfEach(listed.prompts, Prompt, (prompt) => prompt.name).slice(0, MOST_PROMPTS),
  };
}

function firstOfEach<T>(
  listed: readonly unknown[],
  schema: z.ZodType<T>,
  keyOf: (item: T) => string,
): T[] {
  const found = new Map<string, T>();
  for (const one of listed) {
    const { data } = safeParse(schema, one);
    if (data !== undefined && !found.has(keyOf(data))) found.set(keyOf(data), data);
  }
  return [...found.values()];
}

const Contents = z.object({ contents: z.array(z.unknown()) });
const Piece = z.object({
  uri: words(OFFER_URI_CHARS),
  mimeType: words(100),
  text: z.string().optional().catch(undefined),
  // Some encoders write lines.
  blob: z
    .string()
    .transform((text) => text.replace(/\s+/g, ''))
    .pipe(z.base64())
    .optional()
    .catch(undefined),
});

/**
 * What a server gave for a resource, as a file: one piece as it is, several as one text that names each. Throws
 * `CONNECTOR_FAILED` where there is nothing in it.
 */
export function resourceFile(
  connector: string,
  resource: Pick<OfferedResource, 'uri' | 'name' | 'mimeType'>,
  result: unknown,
): OfferedFile {
  const pieces = (safeParse(Contents, result).data?.contents ?? []).flatMap((one) => {
    const { data } = safeParse(Piece, one);
    return data?.text === undefined && data?.blob === undefined ? [] : [data];
  });
  const [only, ...others] = pieces;
  if (only === undefined) throw nothingIn(connector, resource.uri);
  if (others.length > 0) {
    const texts = pieces.map(({ uri, text }) => {
      const named = uri === '' ? 'a piece without an address' : uri;
      return text === undefined ? `(data of ${named})` : `${named}:\n${text}`;
    });
    return {
      name: fileName({ ...resource, name: `${resource.name}.txt` }, '.txt'),
      bytes: Buffer.from(texts.join('\n\n')),
    };
  }
  const { text, blob = '', mimeType } = only;
  const ending = extensionOf(mimeType) || extensionOf(resource.mimeType);
  return text === undefined
    ? { name: fileName(resource, ending), bytes: Buffer.from(blob, 'base64') }
    : { name: fileName(resource, ending || '.txt'), bytes: Buffer.from(text) };
}

/** By the name of the resource, or the end of its address where that is its name; with `ending` if it has none. */
function fileName(
  { uri, name: given }: Pick<OfferedResource, 'uri' | 'name'>,
  ending: string,
): string {
  const isAddress =
    given === uri || (uri.startsWith(given) && given.length >= OFFER_NAME_CHARS - 1);
  const path = isAddress ? uri.replace(/[?#].*$/s, '') : given;
  const last = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  const base = plainName(last) || 'resource';
  const own = /\.[A-Za-z0-9]{1,8}$/.exec(base)?.[0] ?? '';
  const stem = plainName(
    // Whole characters only: half of one becomes U+FFFD, which is taken out.
    Buffer.from(base.slice(0, base.length - own.length))
      .subarray(0, FILE_NAME_BYTES)
      .toString(),
  );
  return `${stem || 'resource'}${own || ending}`;
}

/** Without what no name of a file may have here or on other systems. */
function plainName(text: string): string {
  return visibleSegments(text)
    .map((segment) => (segment.hidden ? ' ' : segment.text))
    .join('')
    .replace(/[\s<>:"|?*/\\\ufffd]+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
}

const Messages = z.object({
  messages: z.array(
    z
      .object({ role: z.string().catch('user'), content: z.unknown() })
      .nullable()
      .catch(null),
  ),
});

/** The text of a prompt as a server gave it; where it is a conversation, with the name of each speaker. */
export function promptText(connector: string, prompt: string, result: unknown): string {
  const { data } = safeParse(Messages, result);
  const messages = (data?.messages ?? []).slice(0, MOST_PARTS).filter((one) => one !== null);
  const isTalk = messages.some(({ role }) => role === 'assistant');
  const spoken = messages.flatMap(({ role, content }) => {
    const text = contentText(content);
    if (text.trim() === '') return [];
    return isTalk ? `${role === 'assistant' ? 'Assistant' : 'User'}: ${text}` : text;
  });
  if (spoken.length === 0) throw nothingIn(connector, prompt);
  return answerText([spoken.join('\n\n')]).trim();
}

/** One part; some servers give a list of them, or text alone. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.slice(0, MOST_PARTS) : [content];
  return parts.map(partText).join('\n');
}

function nothingIn(connector: string, what: string): AppError {
  return new AppError(
    'CONNECTOR_FAILED',
    `The connector "${connector}" gave nothing for ${makeVisible(what.slice(0, 300))}.`,
    { details: { connector } },
  );
}
