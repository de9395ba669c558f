import { z } from 'zod';
import type { OpenedSkill } from '../../skills/markdown/markdown-catalogue.ts';
import { whatIsNext } from '../../skills/markdown/progress-text.ts';
import type { SkillRegistry } from '../../skills/skill-registry.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolContext, ToolDefinition } from '../types.ts';

/** Characters of the list of skills, which is in each request. */
const LIST_CHARS = 600;
const ONE_CHARS = 160;
/** Enough for the largest SKILL.md and the text around it. */
const RESULT_CHARS = 110_000;
const FILES_NAMED = 60;

/** Gives the instructions of a Markdown skill; from then on the app enforces its steps and tools for the task. */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { registry, markdown, sessions, clock } = skills;
  return defineTool({
    name: 'load_skill',
    description: 'Read the instructions of a skill before its kind of work, and follow its steps.',
    listed: () => listOf(registry),
    input: z.strictObject({ name: z.string().min(1).max(100) }),
    risk: 'low',
    effect: 'idempotent',
    givesReviewed: true,
    maxResultChars: RESULT_CHARS,
    run: async ({ name }, context) => {
      const opened = markdown.open(registry.markdownId(name));
      const { id: skill, folder, examined } = opened;
      const { steps, matter } = examined;
      const allowedTools = matter?.allowedTools ?? null;
      const scripts = await putScripts(opened, context);
      const progress = sessions.load(
        { skill, sha256: folder.sha256, steps, allowedTools },
        context,
      );
      const at = clock.now();
      context.persist(() => registry.noteInvocation(skill, at));
      const others = folder.files.map(({ path }) => path).filter((path) => path !== 'SKILL.md');
      const more = others.length > FILES_NAMED ? ` and ${others.length - FILES_NAMED} more` : '';
      const files =
        others.length === 0
          ? ''
          : `\nFiles, for read_file: ${others.slice(0, FILES_NAMED).join(', ')}${more}.`;
      return {
        content: `${examined.instructions.trim()}\n\n[From the app: the skill ${skill} is loaded.${files}${scripts}\n${whatIsNext(progress)}]`,
      };
    },
  });
}

/** The skills that may be loaded, as far as they fit; empty where there are none. */
function listOf(registry: SkillRegistry): string {
  const skills = registry.ready().filter(({ source }) => source === 'markdown');
  if (skills.length === 0) return '';
  const lines: string[] = [];
  let left = LIST_CHARS;
  for (const { id, description } of skills) {
    const line = `${id}: ${shorten(description, Math.min(ONE_CHARS, LIST_CHARS / skills.length))}`;
    if (line.length > left) break;
    lines.push(line);
    left -= line.length + 1;
  }
  const rest = lines.length === skills.length ? '' : '\nlist_skills names the others.';
  return `Skills:\n${lines.join('\n')}${rest}`;
}

function shorten(text: string, chars: number): string {
  const plain = text.replace(/\s+/g, ' ');
  const most = Math.max(40, Math.floor(chars));
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).trimEnd()}…`;
}

/**
 * Copies the files of a skill with scripts to where programs in the sandbox find them, and says so. Markdown,
 * which is read step by step, stays out: a program could print it ahead of its step.
 */
async function putScripts(
  { id, folder, examined }: OpenedSkill,
  { sandbox }: ToolContext,
): Promise<string> {
  if (examined.scripts.length === 0) return '';
  const place = `.hyperagent/skills/${id}`;
  for (const { path, bytes } of folder.files) {
    if (!path.toLowerCase().endsWith('.md'))
      await sandbox.workspace.write(`${place}/${path}`, bytes);
  }
  return `\nIts scripts are in /workspace/${place}/ (${examined.scripts.slice(0, 20).join(', ')}).`;
}
