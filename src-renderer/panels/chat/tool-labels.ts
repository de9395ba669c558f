import {
  Braces,
  FileText,
  Globe,
  type LucideIcon,
  MessageCircleQuestionMark,
  Puzzle,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react';
import { type ToolFacts, toolFacts } from '#contract/tools.ts';
import type { ToolItem } from '../../store/run-view.ts';
import { toolStrings } from '../../strings/tools.ts';

export interface ToolLabel {
  readonly icon: LucideIcon;
  /** The action, such as "Ran Python". */
  readonly title: string;
  /** Its subject, on one line. */
  readonly subject: string;
}

const ICONS: Readonly<Record<ToolFacts['icon'], LucideIcon>> = {
  code: Braces,
  terminal: SquareTerminal,
  file: FileText,
  search: Search,
  page: Globe,
  question: MessageCircleQuestionMark,
  skill: Puzzle,
  tool: Wrench,
};

/** The label of a call. Unknown tools keep the name that the model used. */
export function labelOf(item: ToolItem): ToolLabel {
  const facts = toolFacts(item.name);
  if (facts === null) return { icon: Wrench, title: toolStrings.called(item.name), subject: '' };
  // Until its arguments are in the log, a question says itself what it is about.
  const asked = facts.icon === 'question' ? (item.question?.message ?? '') : '';
  const subject = firstLine(textOf(item, facts.subject)) || asked;
  return { icon: ICONS[facts.icon], title: titleOf(item, facts), subject };
}

/** The code of a call and its language; null where the call carries none. */
export function codeOf(
  args: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly code: string; readonly language: string } | null {
  const { code, command, script, language } = args;
  if (typeof script === 'string') return { name: 'script', code: script, language: 'python' };
  if (typeof code === 'string') {
    return { name: 'code', code, language: typeof language === 'string' ? language : '' };
  }
  if (typeof command === 'string') return { name: 'command', code: command, language: 'bash' };
  return null;
}

function textOf(item: ToolItem, name: string): string {
  const value = item.arguments[name];
  return typeof value === 'string' ? value : '';
}

function titleOf(item: ToolItem, { title }: ToolFacts): string {
  const titles = typeof title === 'object' && 'titles' in title ? title : null;
  const found = titles === null ? title : titles.titles[textOf(item, titles.argument)];
  if (typeof found === 'object' && 'wants' in found) {
    return toolStrings.title(found[phaseOf(item.status)]);
  }
  return typeof found === 'string' ? toolStrings.title(found) : toolStrings.called(item.name);
}

function phaseOf(status: ToolItem['status']): 'wants' | 'runs' | 'ran' {
  if (status === 'running') return 'runs';
  return status === 'waiting' || status === 'approved' || status === 'denied' ? 'wants' : 'ran';
}

/** The first meaningful line: neither a comment nor an import. */
function firstLine(text: string): string {
  const lines = text.split('\n', 40).map((line) => line.trim());
  const telling = lines.find((line) => line !== '' && !/^(?:#|\/\/|import |from )/.test(line));
  return (telling ?? lines.find((line) => line !== '') ?? '').slice(0, 200);
}
