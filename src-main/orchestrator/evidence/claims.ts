import type { Workspace } from '../../sandbox/types.ts';
import { isOrderedText } from './action-facts.ts';
import { answerSentences } from './answer-sentences.ts';
import { checkFile } from './file-opens.ts';
import { isCommand } from './program-source.ts';
import { readTestClaim, type TestClaim } from './test-claims.ts';
import { checkTests, type TestContext } from './test-facts.ts';
import { findTestProjects } from './test-projects.ts';
import type { CheckedFact } from './types.ts';

const MAX_CLAIMS = 20;

/** States that something was done, not that it can or will be. */
const MADE_EN =
  /\b(?:is|are)(?: now)? (?:saved|written|stored|exported) (?:in|to|as|at|under)\b|\b(?:I(?:'ve| have)?|we(?:'ve| have)?|(?:has|have|was|were)(?: been)?|successfully|now)\s+(?:also |just |now |been |successfully |then )?(?:saved|written|wrote|created|generated|exported|stored|produced|added|put|made|built)\b|^[\s>*-]*(?:saved|written|wrote|created|generated|exported|stored)\b/i;
const MADE_ZH =
  /(?:已经?|成功|我)[^。！？，；]{0,12}?(?:保存|写入|创建|生成|导出|存(?:到|入|为)|制作|建好)/;
/** The sentence is about the future, a possibility, or what someone else does. */
const NOT_MADE =
  /\b(?:not|n't|never|no longer|will|would|can|could|should|might|may|if|when|once|after you|you (?:can|have|may|should)|let me|going to|plan to|want|need to|unable|cannot|failed|couldn|didn|wasn|weren|haven|hasn|isn)\b|[没未无]|不(?:能|会|是)|可以|(?<!已)将|如果|请|失败/i;

const FILE_NAME =
  /\/?(?:[\w.@\u4e00-\u9fff-]+\/)*[\w@\u4e00-\u9fff-][\w.@\u4e00-\u9fff-]*\.[A-Za-z][A-Za-z0-9]{0,7}/gu;
const QUOTED_NAME = /[`"'“「『]([^`"'”」』\n]{1,200})[`"'”」』]/gu;

/** What an answer claims was done, as far as code can check it. */
export interface Claims {
  /** Paths of files that it claims to have created. */
  readonly files: readonly string[];
  /** Null if it says nothing about tests. */
  readonly tests: TestClaim | null;
}

/** Reads the claims of an answer. */
export function readClaims(answer: string): Claims {
  const files = new Set<string>();
  const sentences = answerSentences(answer);
  for (const sentence of sentences) {
    const claims = (MADE_EN.test(sentence) || MADE_ZH.test(sentence)) && !NOT_MADE.test(sentence);
    if (claims) for (const path of pathsIn(sentence)) files.add(path);
  }
  return { files: [...files].slice(0, MAX_CLAIMS), tests: readTestClaim(sentences) };
}

/** Checks the files that an answer claims to have created. */
export async function checkFileClaims(
  answer: string,
  files: Pick<Workspace, 'read' | 'list'>,
): Promise<CheckedFact[]> {
  const facts: CheckedFact[] = [];
  for (const path of readClaims(answer).files) {
    facts.push(await checkFile(files, path, { mayBeElsewhere: !path.includes('/') }));
  }
  return facts;
}

/** Checks the claims of an answer: files exist, and tests pass. Empty if it makes none. */
export async function checkClaims(answer: string, context: TestContext): Promise<CheckedFact[]> {
  // A letter that the user ordered speaks of the files of its sender.
  if (isOrderedText(context.prompt)) return [];
  const facts = await checkFileClaims(answer, context.files);
  const { tests } = readClaims(answer);
  if (tests === null || !(await isAboutCode(answer, context))) return facts;
  const claim = tests.pass ? 'The tests pass' : 'What the answer says about the tests';
  return [...facts, await checkTests(claim, tests, context)];
}

/** Words of software, beside which tests are its own whatever else is spoken of. */
const CODE_FIRST =
  /\b(?:code|bugs?|functions?|scripts?|unit tests?|integration tests?|test (?:suite|file)s?|pytest|vitest|jest|mocha|cargo|npm|refactor\w*|implement\w*|repo(?:sitory)?|python|javascript|typescript)\b|\w\.(?:py|[cm]?[jt]sx?|go|rs|java|rb|php|cpp)\b|代码|函数|脚本|程序/i;
/** Tests of something else. */
const NOT_CODE =
  /\b(?:vaccines?|drugs?|patients?|medical|clinical|blood|covid|crash|cars?|vehicles?|driving|driver|exams?|grades?|pupils?|students?|school|teacher|pregnan\w*|dna|allerg\w*|safety tests?|quality tests?|mean grade)\b|疫苗|药|病人|患者|考试|成绩|学生|驾|孕|血/i;

/** Whether a claim about tests can be one about software: only then there is something to run. */
async function isAboutCode(
  answer: string,
  { files, calls, prompt }: TestContext,
): Promise<boolean> {
  const words = `${prompt}\n${answer}`;
  const runs = calls.some(isCommand) || (await findTestProjects(files)).length > 0;
  return runs || !NOT_CODE.test(words) || CODE_FIRST.test(words);
}

function pathsIn(sentence: string): string[] {
  const withoutAddresses = sentence.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, ' ');
  const names: string[] = [];
  const rest = withoutAddresses.replace(QUOTED_NAME, (_all, quoted: string) => {
    names.push(quoted.trim());
    return ' ';
  });
  for (const [name] of rest.matchAll(FILE_NAME)) names.push(name);
  return names.flatMap((name) => {
    const path = name
      .replace(/^\/workspace\//, '')
      .replace(/^\.\//, '')
      .replace(/\/+$/, '');
    const isFile =
      /^[^\s/~][^\n]*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path) && !/[*<>|:{}]/.test(path);
    // A version number or a host name is not a file.
    return isFile && !/^v?\d+(?:\.\d+)+$|\.(?:com|org|net|io|dev|ai|cn)$/i.test(path) ? [path] : [];
  });
}
