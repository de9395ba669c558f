import { markdownToDocx } from '../../../reports/markdown-docx.ts';
import { type GraphStep, graphSkill } from '../../graph-skill.ts';
import type { Skill } from '../../types.ts';
import { EmailDraft, type Outline, outlineDraft } from './drafts.ts';
import { freeFileName } from './file-name.ts';
import { LENGTHS, type Length } from './lengths.ts';
import { metadata } from './metadata.ts';
import { EMAIL_PROMPT, OUTLINE_PROMPT } from './prompts.ts';
import { tidyText } from './tidy-text.ts';
import { countWords } from './word-count.ts';
import { describeRequest, writeText } from './write-text.ts';

const outline: GraphStep = {
  name: 'outline',
  description: 'Making an outline',
  run: async ({ inputParams }, { services: { llm } }) => {
    const { sections } = LENGTHS[inputParams.length as Length];
    const draft = await llm.askFor({
      system: OUTLINE_PROMPT,
      prompt: `${describeRequest(inputParams)}\n\nAt most ${sections} sections.`,
      schema: outlineDraft(sections),
    });
    return { work: { outline: draft } };
  },
};

const write: GraphStep = {
  name: 'write',
  description: 'Writing the text',
  run: async ({ inputParams, work }, context) => {
    const draft = work.outline as Outline;
    const text = await writeText(draft, inputParams, context);
    return { work: { title: draft.title, content: `# ${draft.title}\n\n${text}`, email: null } };
  },
};

const writeEmail: GraphStep = {
  name: 'write',
  description: 'Writing the e-mail',
  run: async ({ inputParams }, { services: { llm } }) => {
    const email = await llm.askFor({
      system: EMAIL_PROMPT,
      prompt: describeRequest(inputParams),
      schema: EmailDraft,
    });
    const body = tidyText(email.body);
    const pieces = [`# ${email.subject}`, email.greeting, body, keepLines(email.closing)];
    return {
      work: { title: email.subject, content: pieces.join('\n\n'), email: { ...email, body } },
    };
  },
};

const save: GraphStep = {
  name: 'save',
  description: 'Saving the text',
  run: async ({ inputParams, work }, context) => {
    const { title, content, email } = work as { title: string; content: string; email: unknown };
    const { sandbox } = context.services;
    // Chosen once: after a crash its own file already exists.
    const name = await context.once('file name', async () => {
      const files = await sandbox.listFiles();
      return freeFileName(
        title,
        files.map(({ path }) => path.replace(/^\/?(?:workspace\/)?/, '')),
      );
    });
    const path = `${name}.md`;
    await sandbox.writeFile(path, `${content}\n`);
    const docxPath = inputParams.format === 'docx' ? `${name}.docx` : null;
    if (docxPath !== null) {
      await sandbox.writeFile(docxPath, await markdownToDocx(content, { title }));
    }
    return {
      output: { title, content, email, path, docx_path: docxPath, word_count: countWords(content) },
    };
  },
};

const text = graphSkill(metadata, [outline, write, save]);
const letter = graphSkill(metadata, [writeEmail, save]);

/** Writes documents and articles from an outline, e-mails at once; saves the text in the workspace. */
export const skill: Skill = {
  metadata,
  createGraph: (context, langgraph) => ({
    invoke: (state, config) => {
      const skill = state.inputParams.type === 'email' ? letter : text;
      return skill.createGraph(context, langgraph).invoke(state, config);
    },
  }),
};

/** Keeps line breaks that Markdown would join. */
function keepLines(lines: string): string {
  return lines.trim().replace(/[ \t]*\r?\n/g, '  \n');
}
