import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorOffers } from '#contract/connectors.ts';
import { AppError } from '#contract/errors.ts';
import { OFFER_URI_CHARS } from '#contract/limits.ts';
import { hasHidden } from '#contract/visible-text.ts';
import { offersIn, promptText, resourceFile } from '#main/connectors/server-offers.ts';
import { faultsOf, HIDDEN } from '../../fakes/connectors/offers.ts';
import { trials } from '../../setup/sampling.ts';

describe('whatever a server says', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...['a://1', 'file:///a/b.md?x#y', 'user', 'assistant', 'text', 'image', 'resource', '..'],
      ...['QUJD', 'QUJD!', 'text/markdown', '__proto__', 'constructor', HIDDEN, '', '/', '. .'],
      'x'.repeat(3_000),
    ),
  );
  const KEYS = [
    ...['uri', 'name', 'title', 'description', 'mimeType', 'size', 'arguments', 'required'],
    ...['contents', 'text', 'blob', 'messages', 'role', 'content', 'type', 'resource', 'data'],
    ...['__proto__', 'constructor', 'toString', 'length'],
  ];
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      words,
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 6 }),
    ),
  }));
  const some = { requiredKeys: [] };
  /** Mostly words, where the protocol has words. */
  const said = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: any });
  const part = fc.record(
    {
      ...{ type: said, text: said, data: said, mimeType: said, uri: said, name: said },
      resource: fc.oneof(fc.record({ uri: said, text: said, blob: said }, some), any),
    },
    some,
  );
  const resource = fc.record(
    { uri: said, name: said, title: said, description: said, mimeType: said, size: any },
    some,
  );
  const argument = fc.record({ name: said, description: said, required: any }, some);
  const prompt = fc.record(
    {
      ...{ name: said, title: said, description: said },
      arguments: fc.oneof(fc.array(argument, { maxLength: 3 }), any),
    },
    some,
  );
  const content = fc.oneof(part, fc.array(part, { maxLength: 3 }), any);
  const message = fc.record({ role: said, content }, some);
  const piece = fc.record({ uri: said, mimeType: said, text: said, blob: said }, some);
  const list = (item: fc.Arbitrary<unknown>) => fc.array(fc.oneof(item, any), { maxLength: 5 });
  const onWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

  /** What comes of a call; null where it fails as it may. */
  function orNull<Made>(run: () => Made): Made | null {
    try {
      return run();
    } catch (error) {
      if (error instanceof AppError && error.code === 'CONNECTOR_FAILED') {
        expect(error.message.length).toBeLessThan(5_000);
        return null;
      }
      throw error;
    }
  }

  it('its offers keep the form, and names and addresses as they are', () => {
    let found = 0;
    fc.assert(
      fc.property(list(resource), list(prompt), (resources, prompts) => {
        const given = onWire({ resources, prompts }) as Required<Parameters<typeof offersIn>[0]>;
        const before = JSON.stringify(given);
        const offers = offersIn(given);
        expect(JSON.stringify(given)).toBe(before);
        expect(ConnectorOffers.parse(offers)).toEqual(offers);
        expect(JSON.parse(JSON.stringify(offers))).toEqual(offers);
        const valuesOf = (items: readonly unknown[], key: string) =>
          items.map((item) => (item as Readonly<Record<string, unknown>> | null)?.[key]);
        const uris = offers.resources.map(({ uri }) => uri);
        const names = offers.prompts.map(({ name }) => name);
        // In their order, each once.
        const first = (values: readonly unknown[], kept: readonly string[]) =>
          [...new Set(values)].filter((value) => kept.includes(value as string));
        expect(first(valuesOf(given.resources, 'uri'), uris)).toEqual(uris);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(valuesOf(given.prompts, 'name')).toContain(name);
        for (const { uri, name } of offers.resources) {
          expect([uri.length > 0, uri.length <= OFFER_URI_CHARS, name.length > 0]) //
            .toEqual([true, true, true]);
        }
        found += uris.length + names.length;
      }),
      trials(3_000, { name: 'offers of servers', size: 600 }),
    );
    expect(found).toBeGreaterThan(300);
  });

  it('a resource is a file or a failure', () => {
    let found = 0;
    const results = fc.oneof(fc.record({ contents: list(piece) }), any);
    const asked = fc.record({ uri: words, name: words, mimeType: words });
    fc.assert(
      fc.property(asked, results, (of, result) => {
        const file = orNull(() => resourceFile('files', of, onWire(result)));
        if (file === null) return;
        expect(file.bytes).toBeInstanceOf(Uint8Array);
        expect(faultsOf(file.name)).toEqual([]);
        found += 1;
      }),
      trials(3_000, { name: 'resources of servers', size: 300 }),
    );
    expect(found).toBeGreaterThan(50);
  });

  it('a prompt is visible text or a failure', () => {
    let found = 0;
    const results = fc.oneof(fc.record({ messages: list(message) }), any);
    fc.assert(
      fc.property(words, results, (name, result) => {
        const made = orNull(() => promptText('files', name, onWire(result)));
        if (made === null) return;
        expect([made.trim(), made === '']).toEqual([made, false]);
        expect(made.length).toBeLessThan(201_000);
        expect(hasHidden(made.replaceAll('⟨U+', ''))).toBe(false);
        found += 1;
      }),
      trials(3_000, { name: 'prompts of servers', size: 300 }),
    );
    expect(found).toBeGreaterThan(50);
  });
});
