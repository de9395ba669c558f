import { useEffect, useState } from 'react';
import type { SkillCheck } from '#contract/skills.ts';
import { useSession } from '../../session-context.ts';
import type { SkillDraft } from '../../store/app-state.ts';

/** Typing pause before a source is checked, in milliseconds. */
const PAUSE_MS = 400;

/** The findings of a source, checked once the user stops typing; until then the last ones. */
export function useCheck({ language, source }: SkillDraft): {
  readonly check: SkillCheck | null;
  readonly checking: boolean;
} {
  const { skills } = useSession();
  const [check, setCheck] = useState<SkillCheck | null>(null);
  const [checking, setChecking] = useState(false);
  useEffect(() => {
    if (source.trim() === '') {
      setCheck(null);
      return;
    }
    let cancelled = false;
    setChecking(true);
    const timer = setTimeout(async () => {
      const result = await skills.ask('skills.check', { language, source });
      if (cancelled) return;
      setChecking(false);
      // A failed check is not reported here: saving checks again and reports it.
      setCheck(result.ok ? result.data : null);
    }, PAUSE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [skills, language, source]);
  return { check, checking };
}
