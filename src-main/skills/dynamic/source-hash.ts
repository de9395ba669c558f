import type { SkillLanguage } from '#contract/skills.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';

/** The hash of a stored or exported source: the same text in another language is another program. */
export function sourceHash(language: SkillLanguage, source: string): string {
  return sha256(canonicalJson({ language, source }));
}
