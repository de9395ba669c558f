import { tidyPath } from './program-source.ts';

/** What an answer says about tests. */
export interface TestClaim {
  /** Whether it says that they pass. */
  readonly pass: boolean;
  /** How many passed, how many failed, as it says; null where it gives no number. */
  readonly passed: number | null;
  readonly failed: number | null;
  /** Whether it says that some were skipped. */
  readonly tellsSkipped: boolean;
  /** The test files that it names; none for all tests. */
  readonly files: readonly string[];
  /** The sentences that say it, which may name a part of the tests. */
  readonly words: string;
}

const RUNNERS =
  'pytest|unittest|vitest|jest|mocha|npm (?:run )?test|go test|cargo test|node --test';
const TESTS = `(?:(?:unit|integration|regression|existing|new|remaining|other|end-to-end|e2e)[ -])*(?:tests?|test cases?|test suites?|specs?|checks?|${RUNNERS})`;
const PASS =
  '(?:pass(?:es|ed|ing)?|(?:is|are|were) (?:all )?OK|succeed(?:s|ed)?|(?:is|are|was|were|run|ran|runs|came back|completed?) (?:now |all )?(?:passing|green|successful(?:ly)?|clean(?:ly)?|without (?:any )?(?:errors?|failures?)))';
const SAYS_PASS = new RegExp(
  [
    `\\b${TESTS}\\b(?: \\([^)]*\\))?(?:[ ,:]+(?!fail|not|no\\b)[\\w./'"\`-]+){0,5}?[ :]+${PASS}\\b`,
    `\\bpass(?:es|ed|ing)? (?:all |every |each |the |its |of the |\\d+ )*${TESTS}\\b`,
    `\\b\\d+ (?:of|out of|/) ?\\d+ (?:\\w+ )?${TESTS}? ?pass`,
    `\\b\\d+ pass(?:ed|ing)\\b`,
    `\\beverything (?:is|was) (?:green|passing)\\b`,
    `\\b(?:no|zero|0) (?:test )?fail(?:ures|ed|ing tests)\\b`,
  ].join('|'),
  'i',
);
const SAYS_PASS_ZH = /测试[^。，；]{0,12}?(?:通过|成功)|(?:通过|跑通)了?[^。，；]{0,8}?测试/;
const SAYS_FAIL =
  /\b(\d+) (?:of (?:the )?\d+ )?(?:\w+ )?(?:tests?|specs?)? ?(?:still |now )?(?:fail(?:s|ed|ing)?)\b|(\d+)\s*个测试[^。，]{0,4}失败/i;
/** Not a statement of what happened. */
const NOT_SAID =
  /\b(?:not|never|will|would|can|could|should|might|may|if|when|once|until|unless|let me|going to|plan to|need to|make sure|ensure|verify that|check (?:that|whether|if)|whether|must|to see|unable|cannot|couldn|didn|wasn|weren|haven|hasn|isn|aren|don|doesn)\b|n't\b|[没未无]|不(?:能|会|是)|应该|如果|请|是否|确保|尚/i;

const COUNTS = [
  /(\d+) ?(?:of|out of|\/) ?(?:the )?\d+ (?:[\w-]+ ){0,3}(?:tests?|specs?|cases?)?/i,
  /(?:all |the )?(\d+) (?:[\w-]+ ){0,3}(?:tests?|specs?|test cases?)\b/i,
  /\b(\d+) pass(?:ed|ing)\b/i,
  /(\d+)\s*(?:个|项|条)?(?:单元)?测试/,
];
const TEST_NAME = /[\w./-]*(?:test|spec)[\w./-]*\.(?:py|[cm]?[jt]sx?|go|rs)\b/gi;

const NOT_YET_READ = { tellsSkipped: false, words: '', files: [] } as const;

/** What a text says about tests; null if nothing. */
export function readTestClaim(sentences: readonly string[]): TestClaim | null {
  let found = null as TestClaim | null;
  const words: string[] = [];
  const named = new Set<string>();
  let isAboutAll = false;
  for (const sentence of sentences) {
    if (NOT_SAID.test(sentence)) continue;
    const pass = SAYS_PASS.test(sentence) || SAYS_PASS_ZH.test(sentence);
    const fails = SAYS_FAIL.exec(sentence);
    if (!pass && fails === null) continue;
    const failed = fails === null ? null : Number(fails[1] ?? fails[2]);
    const counted = sentence.replace(fails?.[0] ?? '', ' ');
    const count = pass ? COUNTS.map((one) => one.exec(counted)?.[1]).find(isText) : undefined;
    const files = (sentence.match(TEST_NAME) ?? []).map(tidyPath);
    words.push(sentence);
    isAboutAll ||= files.length === 0;
    for (const file of files) named.add(file);
    found = {
      // "10 of 12 tests pass" says that not all do.
      pass:
        (pass && !(failed !== null && failed > 0) && !isPartial(sentence)) || found?.pass === true,
      passed: count === undefined ? (found?.passed ?? null) : Number(count),
      failed: failed ?? found?.failed ?? null,
      ...NOT_YET_READ,
    };
  }
  if (found === null) return null;
  return {
    ...found,
    tellsSkipped: sentences.some((one) => /skip|跳过|ignored|pending|xfail/i.test(one)),
    words: words.join(' ').trim().toLowerCase(),
    files: isAboutAll ? [] : [...named],
  };
}

/** Whether a target of expected evidence is about tests. */
export function isAboutTests(target: string): boolean {
  return new RegExp(`\\b(?:${RUNNERS})\\b|\\btests? (?:pass|suite|run)|测试通过`, 'i').test(target);
}

function isPartial(sentence: string): boolean {
  const [, part, whole] = /(\d+) ?(?:of|out of|\/) ?(?:the )?(\d+)/i.exec(sentence) ?? [];
  return part !== undefined && part !== whole;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
