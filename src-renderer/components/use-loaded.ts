import { useEffect, useState } from 'react';
import type { RequestName, RequestOutput, RequestResult } from '#contract/requests.ts';

/** What a request answers, asked again for another `key`; null until then, a text where it fails. */
export function useLoaded<Name extends RequestName>(
  ask: () => Promise<RequestResult<Name>>,
  key: string,
): RequestOutput<Name> | string | null {
  const [loaded, setLoaded] = useState<RequestOutput<Name> | string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked
  useEffect(() => {
    let isGone = false;
    void ask().then((result) => {
      if (!isGone) setLoaded(result.ok ? result.data : result.error.message);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return loaded;
}
