import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { findHiddenText } from '../hidden-text.ts';

/** The name of a source in findings and reviews. */
export function fileNameOf(language: SkillLanguage): string {
  return language === 'typescript' ? 'skill.ts' : 'skill.js';
}

/** A finding about a source; an error unless `severity` says otherwise. */
export function finding(
  language: SkillLanguage,
  rule: string,
  about: {
    readonly message: string;
    readonly line?: number | null;
    /** Counted from 1. */
    readonly column?: number;
    readonly severity?: SkillFinding['severity'];
  },
): SkillFinding {
  const { message, line = null, column, severity = 'error' } = about;
  const place = line === null || column === undefined ? '' : `Line ${line}, column ${column}: `;
  return { severity, rule, file: fileNameOf(language), line, message: `${place}${message}` };
}

/** Characters that make a source read differently from how it runs. They are warnings; the user decides. */
export function hiddenIn(language: SkillLanguage, source: string): SkillFinding[] {
  return findHiddenText(source, fileNameOf(language), 'warning');
}
