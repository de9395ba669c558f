import type { SkillFinding } from '#contract/skills.ts';

interface HiddenKind {
  readonly rule: string;
  readonly severity: SkillFinding['severity'];
  readonly message: string;
  readonly pattern: RegExp;
}

/** Characters that honest instructions and code do not need, by how they are misused. */
const KINDS: readonly HiddenKind[] = [
  {
    rule: 'hidden_tags',
    severity: 'error',
    message: 'Text in tag characters, which a model reads and people do not see.',
    // Except in flags of regions, which use them after a black flag.
    pattern: /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,10})[\u{e0000}-\u{e007f}]/gu,
  },
  {
    rule: 'hidden_bidi',
    severity: 'error',
    message:
      'Characters that change the direction of text: it does not read in the order in which it is stored.',
    pattern: /[\u202a-\u202e\u2066-\u2069]/gu,
  },
  {
    rule: 'hidden_control',
    severity: 'error',
    message: 'Control characters.',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for.
    pattern: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu,
  },
  {
    rule: 'hidden_zero_width',
    severity: 'warning',
    message: 'Invisible characters without width.',
    // Except joiners in words of some scripts and in emoji.
    pattern:
      /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\u3164\uffa0]|(?<!\ufe0f|[\p{M}\p{Lo}\p{Extended_Pictographic}]|[\u{1f3fb}-\u{1f3ff}])[\u200c\u200d]|(?!^)\ufeff/gu,
  },
  {
    rule: 'hidden_variation',
    severity: 'warning',
    message: 'Variation selectors where they have no effect: they can hide bytes.',
    pattern:
      /(?<![\p{Extended_Pictographic}\p{Lo}\p{S}0-9#*])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu,
  },
  {
    rule: 'hidden_other',
    severity: 'warning',
    message: 'Characters that show nothing, or something different on each machine.',
    pattern: /[\p{Co}\p{Cs}\u2028\u2029\u2800\ufff9-\ufffb]/gu,
  },
];

/** Findings of one text; the first ones are enough. */
const MOST = 20;

/**
 * Where a text, of instructions or of code, contains characters that hide what it says: of each kind, the first
 * in each line. `most` caps the severity.
 */
export function findHiddenText(
  text: string,
  file: string,
  most: SkillFinding['severity'] = 'error',
): SkillFinding[] {
  const findings = KINDS.flatMap(({ rule, severity: own, message, pattern }) => {
    const severity = most === 'error' ? own : most;
    return firstsOfLines(text, pattern).map(({ line, code }): SkillFinding => {
      return { severity, rule, file, line, message: `${message} The first is U+${code}.` };
    });
  });
  return findings.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, MOST);
}

function firstsOfLines(text: string, pattern: RegExp): { line: number; code: string }[] {
  const firsts: { line: number; code: string }[] = [];
  const search = new RegExp(pattern);
  let [line, from] = [1, 0];
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    line += text.slice(from, match.index).split('\n').length - 1;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    firsts.push({ line, code });
    // The rest of the line adds nothing.
    const end = text.indexOf('\n', match.index);
    if (end < 0 || firsts.length === MOST) break;
    [line, from] = [line + 1, end + 1];
    search.lastIndex = from;
  }
  return firsts;
}
