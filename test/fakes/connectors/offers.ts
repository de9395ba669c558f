import { inspect } from 'node:util';
import { expect } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { hasHidden } from '#contract/visible-text.ts';
import { offersIn, promptText, resourceFile } from '#main/connectors/server-offers.ts';

export const HIDDEN = 'a\u202eb\u200b\0\u{e0041}';
export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
export const LONG = 'x'.repeat(1_000_000);
/** A list in a list in a list, as a server can send it. */
export const DEEP: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
/** Measured or joined to a text it throws: zod measures whatever has a length, also where it wants a string. */
export const UNMEASURABLE: unknown = JSON.parse('{"length":{"toString":0}}');
/** What is no object of any form. */
export const NOTHINGS: readonly unknown[] = [
  null,
  undefined,
  5,
  true,
  '',
  'text',
  [],
  {},
  [null],
  DEEP,
];

export const resourcesOf = (...resources: unknown[]) =>
  offersIn({ resources, prompts: [] }).resources;
export const promptsOf = (...prompts: unknown[]) => offersIn({ resources: [], prompts }).prompts;
export const numbered = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Runs the same for each of many values; an error says which one it was. */
export function forEach<Value>(
  values: readonly Value[],
  check: (value: Value, label: string) => void,
) {
  for (const [at, value] of values.entries()) {
    const label = `at ${at}: ${value === DEEP ? 'deep' : inspect(value, { depth: 4 }).slice(0, 300)}`;
    check(value, label);
  }
}

/** The error that a call ends with, which is one that a user can be told. */
export function failureOf(run: () => unknown, label = ''): AppError {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('CONNECTOR_FAILED');
    expect((error as AppError).message.length).toBeLessThan(5_000);
    return error as AppError;
  }
  throw new Error(
    `Nothing was thrown, but this came ${label}: ${JSON.stringify(result)?.slice(0, 200)}`,
  );
}

export const SERVER_EVERYTHING = {
  resources: [
    {
      name: 'architecture.md',
      uri: 'demo://resource/static/document/architecture.md',
      mimeType: 'text/markdown',
      description: 'Static document file exposed from /docs: architecture.md',
    },
  ],
  prompts: [
    { name: 'simple-prompt', title: 'Simple Prompt', description: 'A prompt with no arguments' },
    {
      name: 'args-prompt',
      title: 'Arguments Prompt',
      description: 'A prompt with two arguments, one required and one optional',
      arguments: [
        { name: 'city', description: 'Name of the city', required: true },
        { name: 'state', description: 'Name of the state', required: false },
      ],
    },
  ],
};

export const RESOURCE = { uri: 'a://host/one', name: 'one', mimeType: '' };
export const fileOf = (result: unknown, resource: Partial<typeof RESOURCE> = {}) =>
  resourceFile('files', { ...RESOURCE, ...resource }, result);
export const contentOf = (...contents: unknown[]) =>
  Buffer.from(fileOf({ contents }).bytes).toString();
export const nameOf = (resource: Partial<typeof RESOURCE>, piece: object = { text: 'x' }) =>
  fileOf({ contents: [{ uri: 'a://host/one', ...piece }] }, resource).name;
export const blob = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');

/** What is wrong with the name of a file. */
export function faultsOf(name: string): string[] {
  const faults = {
    'is empty': name === '',
    'is long': name.length > 115,
    'has hidden characters': /\p{Cc}/u.test(name) || hasHidden(name.replaceAll('⟨U+', '')),
    'has reserved characters': /[<>:"|?*/\\]/.test(name),
    'begins or ends with a dot or space': /^[. ]|[. ]$/.test(name),
    'has half of a pair': !name.isWellFormed(),
  };
  return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [fault] : []));
}

export const text = (words: unknown) => ({ type: 'text', text: words });
export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: unknown) => ({ role: 'assistant', content });
export const promptOf = (...messages: unknown[]) => promptText('github', 'triage', { messages });
