import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { visibleSegments } from '#contract/visible-text.ts';
import { finding } from './finding.ts';

const BIDI = /^⟨U\+(?:061C|200E|200F|202[A-E]|206[6-9])⟩$/;
const MAX_FINDINGS = 20;

/** Characters that make a source read otherwise than it runs, each with its line. */
export function findHiddenText(language: SkillLanguage, source: string): SkillFinding[] {
  const findings: SkillFinding[] = [];
  const lines = source.replace(/^\u{feff}/u, '').split(/\r\n|\n/);
  for (const [index, line] of lines.entries()) {
    const hidden = visibleSegments(line).filter((segment) => segment.hidden);
    if (hidden.length === 0) continue;
    const names = [...new Set(hidden.map(({ text }) => text))];
    const isBidi = names.some((name) => BIDI.test(name));
    const message = isBidi
      ? `${names.join(' ')}: the line reads in another order than it runs.`
      : `${names.join(' ')}: characters that cannot be seen.`;
    const rule = isBidi ? 'bidirectional_text' : 'hidden_text';
    findings.push(finding(language, rule, { message, line: index + 1, severity: 'warning' }));
    if (findings.length === MAX_FINDINGS) break;
  }
  return findings;
}
