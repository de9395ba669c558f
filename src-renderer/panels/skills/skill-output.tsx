import { type ReactNode, useEffect, useState } from 'react';
import { useApp, useSession } from '../../session-context.ts';
import type { JsonSchema } from '../../store/skill-result.ts';
import { SkillResult } from './skill-result.tsx';

const NO_SCHEMA: JsonSchema = {};

/** What a skill gave, by the output schema that it has now. */
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
    let gone = false;
    void skills.schemaOf(skillId).then((read) => {
      if (!gone) setSchema(read);
    });
    return () => {
      gone = true;
    };
  }, [skills, skillId, round]);
  return <SkillResult output={output} schema={schema} />;
}
