import { E2bProvider, type E2bProviderParts } from '#main/sandbox/e2b-provider/e2b-provider.ts';
import { FakeE2b } from '../../../fakes/e2b/fake-e2b.ts';
import { providerParts } from '../provider-parts.ts';

/** A fake service, and providers that know it and its key. */
export async function startE2b(): Promise<{
  readonly fake: FakeE2b;
  readonly open: (dir: string, more?: Partial<E2bProviderParts>) => E2bProvider;
}> {
  const fake = await FakeE2b.start();
  return {
    fake,
    open: (dir, more = {}) =>
      new E2bProvider({
        ...providerParts(dir),
        readKey: () => fake.key,
        apiUrl: fake.url,
        machineUrl: () => fake.url,
        // Nothing answers there; a test that opens the network starts its own.
        publicPlaces: { tcp: [['127.0.0.1', 9]], udp: [['127.0.0.1', 9]] },
        ...more,
      }),
  };
}
