import { type ReactNode, useEffect, useState } from 'react';
import { useApp, useSession } from '../../session-context.ts';
import type { JsonSchema } from '../../store/skill-result.ts';
import { SkillResult } from './skill-result.tsx';

const NO_SCHEMA: JsonSchema = {};

/** The result of a skill, by its current output schema. */
export function SkillOutput({
  skillId,
  output,
}: {
  readonly skillId: string;
  readonly output: Readonly<Record<string, unknown>>;
}): ReactNode {
  const { skills } = useSession();
  const round = useApp((state) => state.skillRound);
  const [schema, setSchema] = useState<JsonSchema>(NO_SCHEMA);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another round the skill may be another
  useEffect(() => {
    let cancelled = false;
    void skills.schemaOf(skillId).then((read) => {
      if (!cancelled) setSchema(read);
    });
    return () => {
      cancelled = true;
    };
  }, [skills, skillId, round]);
  return <SkillResult output={output} schema={schema} />;
}
