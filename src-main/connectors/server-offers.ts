import { z } from 'zod';
import type { ConnectorOffers, OfferedPrompt, OfferedResource } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from '#contract/limits.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { makeVisible, visibleSegments } from '#contract/visible-text.ts';
import { plainFileName } from '../base/file-names.ts';
import { extensionOf } from '../base/mime-types.ts';
import { answerText, partText, readPart } from './call-answer.ts';
import { variablesOf } from './resource-templates.ts';
import type { ListedOffers } from './server-lists.ts';
import type { OfferedFile } from './types.ts';

const MOST_RESOURCES = 500;
const MOST_PROMPTS = 100;
const MOST_ARGUMENTS = 30;
/** Messages of a prompt, and parts of each message. */
const MOST_PARTS = 10_000;
const DESCRIPTION_CHARS = 300;
/** Of a file's name, in bytes of UTF-8. */
const FILE_NAME_BYTES = 100;

/** Display text: a value that is not a string becomes empty, and long text is cut. */
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
/** An identifier that is sent back to the server, so it is never cut. */
const name = z.string().min(1).max(OFFER_NAME_CHARS);

const uri = z.string().min(1).max(OFFER_URI_CHARS);
const about = {
  name: words(OFFER_NAME_CHARS),
  title: words(OFFER_NAME_CHARS),
  description: words(DESCRIPTION_CHARS),
  mimeType: words(100),
};

const Resource = z
  .object({ uri, ...about, size: z.int().nonnegative().nullable().catch(null) })
  .transform((resource) => named({ ...resource, variables: [] }));

const Template = z
  .object({
    uriTemplate: uri.transform((template, context) => {
      const variables = variablesOf(template);
      if (variables === null) context.addIssue('It has no variables that can be filled in.');
      return { uri: template, variables: variables ?? [] };
    }),
    ...about,
  })
  .transform(({ uriTemplate, ...rest }) => named({ ...rest, ...uriTemplate, size: null }));

function named({ title, ...resource }: OfferedResource & { title: string }): OfferedResource {
  const name = title || resource.name || resource.uri.slice(0, OFFER_NAME_CHARS);
  return { ...resource, name };
}

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
 * The resources, templates among them, and prompts in a server's lists. Skips entries whose address or name is missing or too long, and
 * duplicates after the first.
 */
export function offersIn({
  resources = [],
  resourceTemplates = [],
  prompts = [],
}: Partial<ListedOffers>): ConnectorOffers {
  const addressed = firstOfEach(resources, Resource, (resource) => resource.uri);
  const known = new Set(addressed.map((resource) => resource.uri));
  const templates = firstOfEach(resourceTemplates, Template, (template) => template.uri);
  return {
    resources: [...addressed, ...templates.filter((template) => !known.has(template.uri))].slice(
      0,
      MOST_RESOURCES,
    ),
    prompts: firstOfEach(prompts, Prompt, (prompt) => prompt.name).slice(0, MOST_PROMPTS),
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
  // Some encoders insert line breaks.
  blob: z
    .string()
    .transform((text) => text.replace(/\s+/g, ''))
    .pipe(z.base64())
    .optional()
    .catch(undefined),
});

/**
 * The content of a resource as a file: a single piece is kept as it is, several become one text with their addresses.
 * Throws `CONNECTOR_FAILED` if there is no content.
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

/** Named after the resource, or after the end of its address where it has no name; `ending` is added if it has none. */
function fileName(
  { uri, name: given }: Pick<OfferedResource, 'uri' | 'name'>,
  ending: string,
): string {
  const isAddress =
    given === uri || (uri.startsWith(given) && given.length >= OFFER_NAME_CHARS - 1);
  const path = isAddress ? uri.replace(/[?#].*$/s, '') : given;
  const last = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  const shown = visibleSegments(last).map(({ text, hidden }) => (hidden ? ' ' : text));
  const name = outerTrimmed(shown.join('').replace(/\s+/g, ' '));
  const plain = name === '' ? '' : outerTrimmed(plainFileName(name, FILE_NAME_BYTES));
  const hasEnding = /\.[A-Za-z0-9]{1,8}$/.test(plain);
  return `${plain || 'resource'}${hasEnding ? '' : ending}`;
}

/** Without dots and spaces at its ends. */
function outerTrimmed(name: string): string {
  return name.replace(/^[. ]+|[. ]+$/g, '');
}

const Messages = z.object({
  messages: z.array(
    z
      .object({ role: z.string().catch('user'), content: z.unknown() })
      .nullable()
      .catch(null),
  ),
});

/** The text of a prompt. If it contains answers of an assistant, each message starts with its speaker. */
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

/** The protocol allows one part; some servers send a list of parts, or plain text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.slice(0, MOST_PARTS) : [content];
  return parts.map((part) => partText(readPart(part))).join('\n');
}

function nothingIn(connector: string, what: string): AppError {
  return new AppError(
    'CONNECTOR_FAILED',
    `The connector "${connector}" returned no content for ${makeVisible(what.slice(0, 300))}. Choose another entry, or see its log under Connectors.`,
    { details: { connector } },
  );
}
