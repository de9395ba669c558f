import { useEffect, useState } from 'react';
import type { SkillCheck } from '#contract/skills.ts';
import { useSession } from '../../session-context.ts';
import type { SkillDraft } from '../../store/app-state.ts';

/** How long nothing is written before a source is checked, in milliseconds. */
const PAUSE_MS = 400;

/** What is wrong with a source, asked for once the person pauses; until then what was said last. */
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
    let gone = false;
    setChecking(true);
    const timer = setTimeout(async () => {
      const result = await skills.ask('skills.check', { language, source });
      if (gone) return;
      setChecking(false);
      // A check that could not be made says nothing; saving checks again, and says so.
      setCheck(result.ok ? result.data : null);
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [skills, language, source]);
  return { check, checking };
}
