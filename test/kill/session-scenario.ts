import { realpathSync } from 'node:fs';
import path from 'node:path';
import { readSkillFolder } from '#main/skills/markdown/skill-folder.ts';
import { startDirectedModel } from '../fakes/directed-model.ts';
import { putFiles, TEA } from '../fakes/markdown-skill.ts';
import { ask, complete, load, read, steppingModel } from '../fakes/stepping-model.ts';
import type { KillScenario } from './scenario.ts';

const PROMPT = 'Make tea by the rules of the house.';
const ANSWER = 'The tea is there, by the rules.';

const leave = (mark: string) => ({
  name: 'execute_code',
  arguments: { language: 'bash', code: `echo ${mark} >> effects.log` },
});

const FILES = {
  ...TEA,
  'SKILL.md': (TEA['SKILL.md'] ?? '').replace('Read Write', 'Read Bash'),
};

/** A session in a Markdown skill, with calls that are refused, and an effect in each step. */
export const SESSION_SCENARIO: KillScenario = {
  prompt: PROMPT,
  answer: ANSWER,
  marks: ['w1', 'w2', 'w3', 'w4'],
  prepare: (stores, dir) => {
    // Outside the data folders of the lives: approvals name the folder.
    const skills = path.join(realpathSync(dir), 'house-skills');
    const folder = putFiles(path.join(skills, 'tea-maker'), FILES);
    const { files, sha256 } = readSkillFolder(folder);
    stores.settings.update({ skillFolders: [skills] });
    const approved = files.map((file) => ({ ...file, content: file.bytes }));
    stores.skills.approveFiles(folder, sha256, approved);
  },
  serve: () =>
    startDirectedModel(
      steppingModel([
        {
          when: PROMPT,
          rounds: [
            [load()],
            // The checkpoint is not answered yet, and the skill does not allow this tool.
            [complete(1), { name: 'web_search', arguments: { query: 'tea' } }],
            // Before the user answers, nothing is executed or completed.
            [ask('tea_params'), leave('w0'), complete(1)],
            [leave('w1'), complete(1)],
            [read('subskill/report.md')],
            [read('subskill/plan.md'), leave('w2')],
            [complete(2), complete(3)],
            [read('subskill/warm.md'), leave('w3'), complete(3)],
            [complete(3)],
            [read('subskill/report.md'), complete(4)],
            [ask('what_next')],
            [leave('w4'), complete(4)],
          ],
          answer: ANSWER,
        },
      ]),
    ),
};
