import { useCallback, useEffect, useState } from 'react';
import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { Loadable } from '../../store/app-state.ts';

type SkillRequest = Extract<RequestName, `skills.${string}`>;

/**
 * What main gives for a request about skills: asked for again when the input changes, or any skill does.
 * Meanwhile what was there for the same input stays.
 */
export function useAsked<Name extends SkillRequest>(
  name: Name,
  input: RequestInput<Name>,
): { readonly state: Loadable<RequestOutput<Name>>; readonly again: () => void } {
  const { skills } = useSession();
  const round = useApp((state) => state.skillRound);
  const key = JSON.stringify(input);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{
    readonly key: string;
    readonly state: Loadable<RequestOutput<Name>>;
  } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round or turn asks the same again
  useEffect(() => {
    let gone = false;
    void skills.ask(name, JSON.parse(key) as RequestInput<Name>).then((result) => {
      if (gone) return;
      setAnswer({
        key,
        state: result.ok
          ? { phase: 'ready', value: result.data }
          : { phase: 'failed', problem: result.error.message },
      });
    });
    return () => {
      gone = true;
    };
  }, [skills, name, key, round, asked]);
  const again = useCallback(() => setAsked((before) => before + 1), []);
  return { state: answer?.key === key ? answer.state : { phase: 'loading' }, again };
}
