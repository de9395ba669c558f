import type { SkillFinding } from '#contract/skills.ts';
import { finding } from './finding.ts';

interface HiddenKind {
  readonly rule: string;
  readonly severity: SkillFinding['severity'];
  readonly message: string;
  readonly pattern: RegExp;
}

/** Characters that no honest text of instructions needs, by what they are used for. */
const KINDS: readonly HiddenKind[] = [
  {
    rule: 'hidden_tags',
    severity: 'error',
    message: 'Text in tag characters, which a model reads and nobody sees.',
    // Flags of regions are written with them, after a black flag.
    pattern: /(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,10})[\u{e0000}-\u{e007f}]/u,
  },
  {
    rule: 'hidden_bidi',
    severity: 'error',
    message:
      'Characters that turn the direction of text: it is not read in the order in which it stands.',
    pattern: /[\u202a-\u202e\u2066-\u2069]/u,
  },
  {
    rule: 'hidden_control',
    severity: 'error',
    message: 'Control characters.',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    pattern: /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u,
  },
  {
    rule: 'hidden_zero_width',
    severity: 'warning',
    message: 'Characters without width, which nobody sees.',
    // Joiners belong to words of some scripts and to emoji.
    pattern:
      /\u034f|[\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\u3164\uffa0]|(?<!\ufe0f|[\p{M}\p{Lo}\p{Extended_Pictographic}]|[\u{1f3fb}-\u{1f3ff}])[\u200c\u200d]|(?!^)\ufeff/u,
  },
  {
    rule: 'hidden_variation',
    severity: 'warning',
    message: 'Variation selectors where they change nothing: bytes can be hidden in them.',
    pattern:
      /(?<![\p{Extended_Pictographic}\p{Lo}\p{S}0-9#*])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/u,
  },
];

/** Where a text holds characters that hide what it says: each kind once, on its first line. */
export function findHiddenText(text: string, file: string): SkillFinding[] {
  return KINDS.flatMap(({ rule, severity, message, pattern }) => {
    const at = text.search(pattern);
    if (at < 0) return [];
    const line = text.slice(0, at).split('\n').length;
    const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return [finding(severity, rule, { file, line, message: `${message} The first is U+${code}.` })];
  });
}
