import { safeParse } from '#contract/safe-parse.ts';
import { SkillCapability, SkillLanguage, type SkillReview } from '#contract/skills.ts';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import type { SkillDefinition, StoredSkillVersion } from '../../storage/skill-types.ts';
import { fileNameOf } from './finding.ts';
import type { CompiledSource } from './skill-compiler.ts';

/** What an approval would trust: the newest version, compared with the last approved one. */
export function reviewOf(
  { id, name }: Pick<SkillDefinition, 'id' | 'name'>,
  versions: {
    readonly newest: StoredSkillVersion;
    readonly approved: StoredSkillVersion | null;
  },
  compiled: CompiledSource,
): SkillReview {
  const { newest, approved } = versions;
  const { metadata, findings, javascript } = compiled;
  const after = metadata?.capabilities ?? [];
  const requiredTools = metadata?.requiredTools ?? [];
  const shown = {
    language: newest.language,
    source: newest.sourceCode,
    capabilities: after,
    requiredTools,
  };
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  return {
    skillId: id,
    name,
    source: 'dynamic',
    sha256: sha256(canonicalJson(shown)),
    files: filesOf(newest, approved),
    capabilities: {
      before: SkillCapability.options.filter((one) => approved?.granted.includes(one) === true),
      after,
    },
    requiredTools,
    findings: [...findings],
    mayApprove: metadata !== null && javascript !== null && !hasErrors,
  };
}

function filesOf(
  newest: StoredSkillVersion,
  approved: StoredSkillVersion | null,
): SkillReview['files'] {
  const path = pathOf(newest);
  const after = newest.sourceCode;
  if (approved === null) return [{ path, before: null, after, isBinary: false }];
  const before = approved.sourceCode;
  const pathBefore = pathOf(approved);
  if (path === pathBefore) {
    return before === after ? [] : [{ path, before, after, isBinary: false }];
  }
  return [
    { path: pathBefore, before, after: null, isBinary: false },
    { path, before: null, after, isBinary: false },
  ];
}

function pathOf({ language }: StoredSkillVersion): string {
  return fileNameOf(safeParse(SkillLanguage, language).data ?? 'javascript');
}
