import { useCallback, useEffect, useState } from 'react';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { Loadable } from '../../store/app-state.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;

/**
 * The answer of main to a request about skills. Repeated when the input or any skill changes; until then
 * the old answer for the same input stays.
 */
export function useSkillRequest<Name extends SkillRequest>(
  name: Name,
  input: RequestInput<Name>,
): { readonly state: Loadable<RequestOutput<Name>>; readonly again: () => void } {
  const { skills } = useSession();
  const round = useApp((state) => state.skillRound);
  const key = JSON.stringify(input);
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<{
    readonly key: string;
    readonly state: Loadable<RequestOutput<Name>>;
  } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round or attempt repeats the request
  useEffect(() => {
    let cancelled = false;
    void skills.ask(name, JSON.parse(key) as RequestInput<Name>).then((result) => {
      if (cancelled) return;
      setAnswer({
        key,
        state: result.ok
          ? { phase: 'ready', value: result.data }
          : { phase: 'failed', problem: result.error.message },
      });
    });
    return () => {
      cancelled = true;
    };
  }, [skills, name, key, round, attempt]);
  const again = useCallback(() => setAttempt((before) => before + 1), []);
  return { state: answer?.key === key ? answer.state : { phase: 'loading' }, again };
}
