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
import type { ToolItem } from '../../store/run-view.ts';
import { toolStrings } from '../../strings/tools.ts';

export interface ToolLabel {
  readonly icon: LucideIcon;
  /** The action, such as "Ran Python". */
  readonly title: string;
  /** Its subject, on one line. */
  readonly subject: string;
}

/** The label of a call. Unknown tools keep the name that the model used. */
export function labelOf(item: ToolItem): ToolLabel {
  const phase = phaseOf(item.status);
  switch (item.name) {
    case 'execute_code':
      return {
        icon: Braces,
        title: codeTitle(textOf(item, 'language'), phase),
        subject: firstLine(textOf(item, 'code')),
      };
    case 'shell_command':
      return {
        icon: SquareTerminal,
        title: toolStrings.shell[phase],
        subject: firstLine(textOf(item, 'command')),
      };
    case 'sandbox_file':
      return {
        icon: FileText,
        title: fileTitle(textOf(item, 'operation'), phase),
        subject: textOf(item, 'path'),
      };
    case 'execute_script':
      return {
        icon: Braces,
        title: toolStrings.script[phase],
        subject: firstLine(textOf(item, 'script')),
      };
    case 'web_search':
      return { icon: Search, title: toolStrings.search[phase], subject: textOf(item, 'query') };
    case 'fetch_page':
      return { icon: Globe, title: toolStrings.page[phase], subject: textOf(item, 'url') };
    case 'ask_user':
      return {
        icon: MessageCircleQuestionMark,
        title: toolStrings.asked,
        subject: textOf(item, 'question') || (item.question?.message ?? ''),
      };
    case 'request_human_approval':
      return {
        icon: MessageCircleQuestionMark,
        title: toolStrings.checkpoint,
        subject: textOf(item, 'checkpoint'),
      };
    case 'invoke_skill':
      return { icon: Puzzle, title: toolStrings.skill[phase], subject: textOf(item, 'skill_id') };
    case 'list_skills':
      return { icon: Puzzle, title: toolStrings.skills.list, subject: textOf(item, 'search') };
    case 'load_skill':
      return { icon: Puzzle, title: toolStrings.skills.load, subject: textOf(item, 'name') };
    case 'read_file':
      return { icon: FileText, title: toolStrings.skillFile, subject: textOf(item, 'path') };
    case 'complete_skill_step':
      return {
        icon: Puzzle,
        title: toolStrings.skills.step,
        subject: firstLine(textOf(item, 'summary')),
      };
    default:
      return { icon: Wrench, title: toolStrings.called(item.name), subject: '' };
  }
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

type Phase = 'wants' | 'runs' | 'ran';

function phaseOf(status: ToolItem['status']): Phase {
  if (status === 'running') return 'runs';
  return status === 'waiting' || status === 'denied' ? 'wants' : 'ran';
}

function codeTitle(language: string, phase: Phase): string {
  const names: Readonly<Record<string, string>> = toolStrings.languages;
  const name = Object.hasOwn(names, language) ? (names[language] ?? '') : language;
  return language === 'bash' ? toolStrings.shell[phase] : toolStrings.code[phase](name);
}

function fileTitle(operation: string, phase: Phase): string {
  const { files, filesWanted } = toolStrings;
  const titles: Readonly<Record<string, string>> = phase === 'wants' ? filesWanted : files;
  return Object.hasOwn(titles, operation)
    ? (titles[operation] ?? '')
    : toolStrings.called('sandbox_file');
}

/** The first meaningful line: neither a comment nor an import. */
function firstLine(text: string): string {
  const lines = text.split('\n', 40).map((line) => line.trim());
  const telling = lines.find((line) => line !== '' && !/^(?:#|\/\/|import |from )/.test(line));
  return (telling ?? lines.find((line) => line !== '') ?? '').slice(0, 200);
}
