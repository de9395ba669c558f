import type { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';

/** The limits of one research. */
export interface DepthLimits {
  readonly rounds: number;
  readonly queriesPerRound: number;
  /** Pages read in all rounds together. */
  readonly pages: number;
  readonly subQuestions: number;
}

/** Small enough for a laptop: each page costs a model request. */
export const DEPTHS: Readonly<Record<ResearchDepth, DepthLimits>> = {
  fast: { rounds: 1, queriesPerRound: 2, pages: 3, subQuestions: 2 },
  standard: { rounds: 2, queriesPerRound: 3, pages: 8, subQuestions: 4 },
  deep: { rounds: 4, queriesPerRound: 4, pages: 20, subQuestions: 6 },
};

const SIGNS: readonly (readonly [ResearchScenario, RegExp])[] = [
  [
    'news',
    /\b(?:news|latest|today|yesterday|this (?:week|month)|breaking|headlines?|recent(?:ly)?|announced)\b|新闻|最新|今天|昨天|本周|近日|最近/gi,
  ],
  [
    'academic',
    /\b(?:stud(?:y|ies)|papers?|literature|peer[- ]reviewed|evidence|meta-analysis|journals?|theor(?:y|ies)|clinical|hypothes[ie]s|scientific)\b|论文|文献|研究进展|学术|综述|临床|假说/gi,
  ],
  [
    'market',
    /\b(?:markets?|prices?|costs?|competitors?|vendors?|revenue|sales|customers?|industry|investment|shares?|forecast|buy)\b|市场|价格|竞争|行业|营收|销量|客户|投资|份额|成本/gi,
  ],
  [
    'technical',
    /\b(?:how (?:to|does)|api|library|framework|code|implement\w*|architecture|performance|benchmark|protocol|configure|install|database|algorithm|technical|specification)\b|技术|架构|代码|接口|性能|配置|安装|算法|协议|原理/gi,
  ],
];

/** Guesses the scenario from the words of the question; `technical` if nothing matches. */
export function scenarioOf(question: string): ResearchScenario {
  let best: ResearchScenario = 'technical';
  let most = 0;
  for (const [scenario, sign] of SIGNS) {
    const count = question.match(sign)?.length ?? 0;
    if (count > most) [best, most] = [scenario, count];
  }
  return best;
}
