import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { graphSkill } from '../../graph-skill.ts';
import type { JsonObject, SkillContext, SkillPrompt } from '../../types.ts';
import { type Issue, PartReview } from './issue.ts';
import { languageOf } from './languages.ts';
import { locate } from './locate.ts';
import { mergeIssues } from './merge-issues.ts';
import { metadata } from './metadata.ts';
import { focusOf, REVIEW_PROMPT } from './prompt.ts';
import { findByRules } from './rules.ts';
import { type CodePart, partBytes, splitCode } from './split-code.ts';
import { scoreOf, summaryOf } from './verdict.ts';

/** Parts that one review covers; beyond these, it names the lines that it did not see. */
const MOST_PARTS = 30;

interface Read extends JsonObject {
  readonly code: string;
  readonly name: string;
  readonly language: string;
}

interface Reviewed extends Read {
  readonly parts: readonly PartResult[];
  readonly notReviewed: readonly { readonly line: number; readonly end_line: number }[];
}

type PartResult = ReturnType<(typeof PartReview)['parse']>;

/** A review by a model, with every line that it names checked against the code. */
export const skill = graphSkill(metadata, [
  {
    name: 'read',
    description: 'Reading the code',
    run: async ({ inputParams }, context) => ({ work: await readCode(inputParams, context) }),
  },
  {
    name: 'review',
    description: 'Reviewing the code',
    run: async ({ inputParams, work }, context) => {
      const { code, name, language } = work as Read;
      const about = { name, language, focus: focusOf(inputParams.focus) };
      const lines = linesOf(code);
      const frame = promptOf({ from: lines.length, to: lines.length, text: '' }, about);
      const room = await context.services.llm.materialChars(frame);
      const all = splitCode(lines, partBytes(room));
      const seen = all.slice(0, MOST_PARTS);
      const unseen = all.slice(MOST_PARTS);
      const parts: PartResult[] = [];
      const notReviewed: { line: number; end_line: number }[] = [];
      let failure: AppError | null = null;
      for (const [index, part] of seen.entries()) {
        if (seen.length > 1) {
          context.progress(`Part ${index + 1} of ${seen.length}: lines ${part.from} to ${part.to}`);
        }
        try {
          parts.push(await reviewPart(part, about, context));
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'SKILL_MODEL_ANSWER') throw error;
          failure = error;
          notReviewed.push({ line: part.from, end_line: part.to });
        }
      }
      if (parts.length === 0 && failure !== null) throw failure;
      const [first, last] = [unseen[0], unseen.at(-1)];
      if (first !== undefined && last !== undefined) {
        notReviewed.push({ line: first.from, end_line: last.to });
      }
      return { work: { parts, notReviewed } };
    },
  },
  {
    name: 'check',
    description: 'Checking the reported lines',
    run: async ({ inputParams, work }) => {
      const { code, language, parts, notReviewed } = work as Reviewed;
      const lines = linesOf(code);
      const drafts = parts.flatMap(({ issues }) => issues);
      const located = drafts.map((draft) => locate(draft, lines));
      const found = located.filter((issue): issue is Issue => issue !== null);
      const { focus } = inputParams;
      const wanted = focus === 'bugs' ? 'bug' : focus;
      const issues = mergeIssues([...found, ...findByRules(lines, language)]).filter(
        ({ category }) => wanted === 'all' || category === wanted,
      );
      const summaries = parts.map(({ summary }) => summary);
      return {
        output: {
          issues,
          lines: lines.length,
          not_reviewed: notReviewed,
          dropped: located.length - found.length,
          score: scoreOf(issues),
          summary: summaryOf({ issues, lines: lines.length, summaries, notReviewed }),
        },
      };
    },
  },
]);

interface About {
  readonly name: string;
  readonly language: string;
  readonly focus: string;
}

function promptOf({ from, to, text }: CodePart, { name, language, focus }: About): SkillPrompt {
  return {
    system: REVIEW_PROMPT,
    prompt: `Look for ${focus}. Lines ${from} to ${to} of ${name}, in ${language}:\n\n${asData(text, name)}`,
    temperature: 0,
  };
}

function reviewPart(
  part: CodePart,
  about: About,
  { services: { llm } }: SkillContext,
): Promise<PartResult> {
  return llm.askFor({ ...promptOf(part, about), schema: PartReview });
}

async function readCode(params: JsonObject, context: SkillContext): Promise<Read> {
  const { code: given, path } = params as { readonly code?: string; readonly path?: string };
  const { sandbox } = context.services;
  const read = async (from: string): Promise<Read> => {
    const text = await sandbox.readFile(from);
    if (text.includes('\0')) throw wrongInput(`path: ${from} is not a text file`);
    return checked({ code: text, name: from, language: languageOf(from, text) });
  };
  const checked = (found: Read): Read => {
    if (found.code.trim() === '') throw wrongInput(`${found.name} is empty`);
    const { language } = params;
    return typeof language === 'string' ? { ...found, language: language.toLowerCase() } : found;
  };
  if (given === undefined || given.trim() === '') {
    if (path === undefined || path.trim() === '')
      throw wrongInput('code or path: one must be given');
    return read(path.trim());
  }
  // Models sometimes pass the name of a file where its text belongs.
  const name = given.trim();
  if (path === undefined && /^[\w./-]{1,200}\.[a-z]{1,5}$/i.test(name)) {
    const files = await sandbox.listFiles();
    const bare = (one: string): string => one.replace(/^\/?(?:workspace\/)?(?:\.\/)?/, '');
    if (files.some((file) => bare(file.path) === bare(name))) return read(name);
  }
  const shownAs = path ?? 'the code';
  return checked({ code: given, name: shownAs, language: languageOf(path ?? null, given) });
}

function linesOf(code: string): string[] {
  return code.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
}

function wrongInput(problem: string): AppError {
  return new AppError('SKILL_INPUT_INVALID', `The parameters do not fit code_review: ${problem}.`, {
    details: { expectedParameters: metadata.parameters },
  });
}
