import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { READ_BYTES } from '../../skills/markdown/limits.ts';
import type { OpenedSkill } from '../../skills/markdown/markdown-catalogue.ts';
import type { SkillFile } from '../../skills/markdown/skill-folder.ts';
import { textOf } from '../../skills/markdown/skill-text.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

const FILES_NAMED = 30;

/**
 * Reads a file of the loaded skill. The whole folder is read and hashed, and the model gets bytes from that
 * read: a name from the model is looked up in the list of files, and never becomes a path.
 */
export function tool({ skills }: Pick<ToolParts, 'skills'>): ToolDefinition {
  const { registry, markdown, sessions } = skills;
  return defineTool({
    name: 'read_file',
    description: 'Read a file of the loaded skill, when its step comes.',
    input: z.strictObject({
      path: z.string().min(1).max(1_000),
      skill: z.string().max(100).optional(),
    }),
    risk: 'low',
    effect: 'idempotent',
    givesReviewed: true,
    maxResultChars: READ_BYTES + 1_000,
    run: async ({ path, skill }, context) => {
      const named = skill ?? sessions.current(context)?.skill;
      if (named === undefined) {
        const message =
          'No skill is loaded. Call load_skill first; read files of the task with sandbox_file.';
        throw new AppError('BAD_REQUEST', message);
      }
      const opened = markdown.open(registry.markdownId(named));
      const file = fileOf(opened, path);
      const text = textOf(file.bytes);
      if (text === null) {
        throw new AppError('SKILL_FILE_REFUSED', `${file.path} is not text.`);
      }
      if (file.bytes.length > READ_BYTES) {
        throw new AppError('FILE_TOO_LARGE', `${file.path} has over ${READ_BYTES} bytes.`);
      }
      sessions.read(opened.id, { path: file.path, sha256: opened.folder.sha256 }, context);
      return { content: text };
    },
  });
}

/** The file with exactly this name. Throws `SKILL_FILE_REFUSED`. */
function fileOf({ id, folder }: OpenedSkill, name: string): SkillFile {
  const plain = name.replace(/^(?:\.\/)+/, '');
  const file = folder.files.find(({ path }) => path === plain);
  if (file !== undefined) return file;
  const names = folder.files.slice(0, FILES_NAMED).map(({ path }) => path);
  throw new AppError(
    'SKILL_FILE_REFUSED',
    `${JSON.stringify(name.slice(0, 200))} is not a file of the skill ${id}. It has: ${names.join(', ')}.`,
  );
}
