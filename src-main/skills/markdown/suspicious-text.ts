import type { SkillFinding } from '#contract/skills.ts';
import { TOOL_NAMES } from '#contract/tools.ts';
import { scanResult } from '../../guardrails/injection-scan.ts';
import { plain } from '../../guardrails/normalise.ts';
import { scanAll } from '../../guardrails/scanner.ts';
import { finding } from './finding.ts';

interface Phrase {
  readonly rule: string;
  readonly message: string;
  readonly patterns: readonly RegExp[];
}

const ASKING =
  '(?:approvals?|confirmations?|permissions?|consent|checkpoints?|guardrails?|safety checks?|human review)';
const USER = '(?:the |your )?(?:user|person|human|owner|operator|customer)s?';

/** What no honest skill needs to say. The app asks for approval in any case, but the user should know. */
const PHRASES: readonly Phrase[] = [
  {
    rule: 'bypass_approval',
    message: 'Tells the model to bypass approvals or guardrails.',
    patterns: [
      new RegExp(
        `\\b(?:bypass|skip|circumvent|disable|ignore|evade|turn off|work around|get around|suppress)\\b[^.\\n]{0,40}\\b${ASKING}\\b`,
      ),
      new RegExp(
        `\\b(?:without|do not|don't|never|no need to)\\b[^.\\n]{0,30}\\b(?:asking|ask|request|requesting|seek|seeking|wait|waiting)\\b[^.\\n]{0,30}\\b${ASKING}\\b`,
      ),
      /\b(?:auto[- ]?approve|approve (?:it |everything |all )?(?:automatically|yourself|on (?:their|the user's) behalf))\b/,
      /(?:绕过|跳过|忽略|关闭)[^。\n]{0,12}(?:审批|批准|确认|护栏|安全检查)/,
    ],
  },
  {
    rule: 'hide_from_user',
    message: 'Tells the model to hide something from the user.',
    patterns: [
      new RegExp(
        `\\b(?:do not|don't|never|without)\\b[^.\\n]{0,20}\\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|show|showing|notify|notifying|alert|alerting)\\b[^.\\n]{0,50}\\b${USER}\\b`,
      ),
      new RegExp(`\\b(?:hide|conceal|keep)\\b[^.\\n]{0,40}\\b(?:from|secret from)\\b ${USER}\\b`),
      /\b(?:silently|secretly|covertly)\b[^.\n]{0,20}\b(?:send|upload|post|run|execute|delete|install|copy|transmit)\b/,
      /(?:不要|别|勿)(?:告诉|告知|通知|让)[^。\n]{0,6}(?:用户|使用者)|瞒着用户/,
    ],
  },
];

/** Naming tools is normal in a skill; elsewhere it is a sign of injection. */
const TOOLS = new RegExp(`\\b(?:${TOOL_NAMES.join('|')})\\b`, 'g');

/** Characters that are searched for the lines of findings: each line is scanned again, alone. */
const LOCATED_CHARS = 50_000;
/** Fixed cost of a line, in characters. */
const LINE_COST = 20;
/** Replaces line ends while the whole text is normalized; normalization keeps it. */
const LINE_END = '\u2400';

/** Findings of text that works against the user, with the line where a single early line matches. */
export function findSuspiciousText(text: string, file: string): SkillFinding[] {
  const marked = plain(text.replaceAll(LINE_END, ' ').replaceAll('\n', LINE_END));
  // Searched as a whole, since a text can have as many lines as characters. No pattern matches across lines.
  const shown = marked.replaceAll('\n', ' ').replaceAll(LINE_END, '\n');
  const phrases = PHRASES.flatMap(({ rule, message, patterns }) => {
    const places = patterns.map((pattern) => shown.search(pattern)).filter((at) => at >= 0);
    if (places.length === 0) return [];
    const line = shown.slice(0, Math.min(...places)).split('\n').length;
    return [finding('warning', rule, { file, line, message })];
  });
  const found = scanAll(scanResult, withoutTools(text));
  const lines = locate(new Set(found.map(({ rule }) => rule)), text);
  const injections = found.map(({ rule, message, weight }) => {
    const severity = weight === 'certain' ? 'error' : 'warning';
    return finding(severity, `injection_${rule}`, { file, line: lines.get(rule) ?? null, message });
  });
  return [...phrases, ...injections];
}

function withoutTools(text: string): string {
  return text.replace(TOOLS, 'it');
}

/** The first line that breaks each rule by itself, counted from 1. */
function locate(rules: ReadonlySet<string>, text: string): Map<string, number> {
  const found = new Map<string, number>();
  let left = LOCATED_CHARS;
  for (const [i, line] of text.split('\n').entries()) {
    left -= line.length + LINE_COST;
    if (found.size === rules.size || left < 0) break;
    for (const { rule } of scanResult(withoutTools(line))) {
      if (rules.has(rule) && !found.has(rule)) found.set(rule, i + 1);
    }
  }
  return found;
}
