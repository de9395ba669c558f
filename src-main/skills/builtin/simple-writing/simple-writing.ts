import { markdownToDocx } from '../../../services/documents/markdown-docx.ts';
import { type GraphStep, graphSkill } from '../../graph-skill.ts';
import { skillMetadata } from '../../skill-metadata.ts';
import type { Skill } from '../../types.ts';
import { EmailDraft, LENGTHS, type Length, type Outline, outlineDraft } from './drafts.ts';
import { freeFileName } from './file-name.ts';
import { EMAIL_PROMPT, OUTLINE_PROMPT } from './prompts.ts';
import { tidyText } from './tidy-text.ts';
import { countWords } from './word-count.ts';
import { describeRequest, writeText } from './write-text.ts';

const TEXT = { type: 'string' };
const optional = { type: 'string', required: false } as const;

const metadata = skillMetadata({
  id: 'simple_writing',
  name: 'Simple Writing',
  description:
    'Writes a document, an e-mail or an article, as Markdown and on request as Word (docx).',
  category: 'creative',
  parameters: [
    {
      ...{ name: 'request', type: 'string' },
      description: 'What the text is about, with all facts that it needs.',
    },
    {
      ...{ ...optional, name: 'type', default: 'document' },
      ...{ options: ['document', 'email', 'article'], description: 'What kind of text.' },
    },
    {
      ...{ ...optional, name: 'tone', default: 'plain and friendly' },
      description: 'How it sounds, as formal or cheerful.',
    },
    {
      ...{ ...optional, name: 'length', default: 'medium', options: Object.keys(LENGTHS) },
      description: 'About 250, 700 or 1,800 words; an e-mail half of that.',
    },
    { ...{ ...optional, name: 'audience' }, description: 'Who reads it.' },
    { ...{ ...optional, name: 'language' }, description: 'That of the request unless given.' },
    {
      ...{ ...optional, name: 'format', default: 'markdown', options: ['markdown', 'docx'] },
      description: 'With docx there is a Word document too.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      title: { ...TEXT, description: 'Of an e-mail, its subject.' },
      content: { ...TEXT, description: 'Markdown.', minLength: 1 },
      email: {
        anyOf: [
          {
            type: 'object',
            properties: { subject: TEXT, greeting: TEXT, body: TEXT, closing: TEXT },
            required: ['subject', 'greeting', 'body', 'closing'],
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
      path: { ...TEXT, description: 'Of the Markdown file in the workspace.' },
      docx_path: { anyOf: [TEXT, { type: 'null' }] },
      word_count: { type: 'integer', minimum: 1 },
    },
    required: ['title', 'content', 'email', 'path', 'docx_path', 'word_count'],
    additionalProperties: false,
  },
  capabilities: ['llm', 'sandbox'],
  // It writes files of its own into the workspace, and runs nothing.
  riskLevel: 'medium',
  maxExecutionTimeSeconds: 3_600,
  maxIterations: 5,
  tags: ['writing', 'document', 'email', 'article', 'docx'],
});

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
    const pieces = [`# ${email.subject}`, email.greeting, body, linesKept(email.closing)];
    return {
      work: {
        ...{ title: email.subject, content: pieces.join('\n\n') },
        email: { ...email, body },
      },
    };
  },
};

const save: GraphStep = {
  name: 'save',
  description: 'Saving the text',
  run: async ({ inputParams, work }, context) => {
    const { title, content, email } = work as { title: string; content: string; email: unknown };
    const { sandbox } = context.services;
    // Chosen once: after a crash its own file is there already.
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
      output: {
        ...{ title, content, email, path },
        ...{ docx_path: docxPath, word_count: countWords(content) },
      },
    };
  },
};

const text = graphSkill(metadata, [outline, write, save]);
const letter = graphSkill(metadata, [writeEmail, save]);

/** Documents and articles by an outline, e-mails at once; the text is saved in the workspace. */
export const simpleWriting: Skill = {
  metadata,
  createGraph: (context, langgraph) => ({
    invoke: (state, config) => {
      const skill = state.inputParams.type === 'email' ? letter : text;
      return skill.createGraph(context, langgraph).invoke(state, config);
    },
  }),
};

/** Lines of their own, which Markdown would join. */
function linesKept(lines: string): string {
  return lines.trim().replace(/[ \t]*\r?\n/g, '  \n');
}
