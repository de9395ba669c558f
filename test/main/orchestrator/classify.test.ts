import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunMode } from '#contract/vocabulary.ts';
import { classify } from '#main/orchestrator/classify.ts';
import { accuracy, countRoutes } from '../../../scripts/corpus-routing/count.ts';
import { readRoutingCases } from '../../fakes/routing-cases.ts';

const fixture = (name: string): string =>
  join(import.meta.dirname, '../../fixtures/routing', `${name}.jsonl`);
const routeOf = (prompt: string): string => classify({ prompt, mode: 'task' }).route;

describe('sets of queries', () => {
  test.each([
    ['labelled', 1000, 0.5],
    ['held-out-a', 150, 0.7],
    ['held-out-b', 150, 0.55],
    ['held-out-c', 200, 0.65],
    ['held-out-d', 200, 0.6],
    ['held-out-e', 180, 0.5],
  ])(
    '%s: at least %d queries, of which the rules are certain about a share of %d',
    (name, size, share) => {
      const count = countRoutes(readRoutingCases(fixture(name)));
      expect(count.cases).toBeGreaterThanOrEqual(size);
      expect(count.certain / count.cases).toBeGreaterThanOrEqual(share);
      expect(accuracy(count)).toBeGreaterThanOrEqual(0.97);
      const { simple } = count.matrix;
      // An unnecessary plan costs a slow computer minutes.
      expect(simple.complex + simple.research).toBeLessThanOrEqual(0.02 * count.cases);
      // Each route is checked on its own: always answering "uncertain" would leave nothing wrong.
      for (const route of ['simple', 'complex', 'research'] as const) {
        const row = count.matrix[route];
        const all = row.simple + row.complex + row.research + row.uncertain;
        expect(row[route] / all).toBeGreaterThanOrEqual(0.25);
      }
    },
  );

  test('no held-out query is in the set that the rules were written with', () => {
    const [labelled, ...heldOut] = [
      'labelled',
      'held-out-a',
      'held-out-b',
      'held-out-c',
      'held-out-d',
      'held-out-e',
    ].map((name) => readRoutingCases(fixture(name)).map(({ query, mode }) => `${mode} ${query}`));
    const known = new Set(labelled);
    expect(heldOut.flat().filter((query) => known.has(query))).toEqual([]);
    expect(known.size).toBe(labelled?.length);
  });
});

describe('each trap, and its twin with the other route', () => {
  test.each([
    ['what is a plan B?', 'simple'],
    ['Plan my week: first collect the deadlines from todo.md, then write schedule.md', 'complex'],
    ["what's on my list for next week?", 'simple'],
    ['He was older then. Which tense is that?', 'uncertain'],
    ['Is Python slower then C?', 'uncertain'],
    ['Tell me a story in which a girl first finds a key, then opens a door', 'simple'],
    [
      'First write a story about a key, then illustrate it, and finally make a PDF of it',
      'complex',
    ],
    ['Who was the first president of France?', 'simple'],
    ['How do I first install and then run Jupyter?', 'simple'],
    ['First install Jupyter, then run the notebook', 'complex'],
    ['Could you tell me how to install it, configure it, build it and run it?', 'uncertain'],
    ['Could you install it, configure it, build the docs and run the tests?', 'complex'],
    ['Translate into German: First chop the onions, then fry them, and finally add salt', 'simple'],
    ['First translate a.txt into German, then convert the units, then save it as PDF', 'complex'],
    ['What does it do?\n```\n# Step 1: load the data\n# Step 2: train the model\n```', 'simple'],
    ['Step 1: clean the data. Step 2: train the model. Step 3: plot the errors', 'complex'],
    ['My boss said: "First fix the login, then deploy." How long does that take?', 'uncertain'],
    ['Buy for me?\n- milk\n- eggs\n- bread', 'uncertain'],
    ['For today:\n- merge the tables\n- remove duplicates\n- plot the totals', 'complex'],
    ['Sort this list:\n- merge the tables\n- remove duplicates\n- plot the totals', 'simple'],
    ['I washed it, then dried it and finally sold it. Was that wise?', 'uncertain'],
    ['Write a script that copies the files, zips them, and then deletes the old ones', 'simple'],
    ['Write an email. Keep it short. Use a warm tone. Mention the date.', 'simple'],
    ['What is an ETL pipeline?', 'simple'],
    ['Build an ETL pipeline for the three exports', 'complex'],
    ['What does end-to-end encryption mean?', 'simple'],
    ['fix the typo in research.py', 'simple'],
    ['what does R&D mean', 'simple'],
    ['research the history of R&D tax credits', 'research'],
    ['What is a literature review?', 'simple'],
    ['Write a literature review on sleep', 'research'],
    ['Remove all citations from thesis.tex', 'simple'],
    ['Explain how vaccines work, with citations', 'research'],
    ['What are the sources of iron in food?', 'uncertain'],
    ['Create a survey about lunch', 'uncertain'],
    ['Survey the state of the art in speech recognition', 'research'],
    ['第一次世界大战是什么时候？', 'simple'],
    ['第一步，清洗数据；第二步，训练模型；第三步，画图', 'complex'],
    ['下周计划是什么意思？', 'simple'],
    ['写一个故事：男孩先迷路，然后遇到一只狐狸，最后回了家', 'simple'],
    ['先写一个故事，然后配图，最后做成 PDF', 'complex'],
    ['我先去了银行，然后回家，钥匙丢了怎么办', 'simple'],
    ['怎么先安装再运行？', 'simple'],
    ['先安装依赖，再运行测试，最后提交代码', 'complex'],
    ['什么是文献综述？', 'simple'],
    ['写一篇关于睡眠的文献综述', 'research'],
    ['把“调研报告.docx”转成 PDF', 'simple'],
    ['调研一下国产操作系统', 'research'],
    ['对比分析是什么意思？', 'simple'],
    ['对比分析这两年的销售数据', 'complex'],
    // Parts of a product are separate work; properties of one file are not.
    ['Make a shop with login, a cart, payments and an admin page, plus tests', 'complex'],
    ['Make a snake game with arrow keys, a score and a pause button', 'uncertain'],
    ['Write a function that checks login, email and password and logs errors', 'simple'],
    ['What should a shop have: login, a cart, payments, an admin page, tests?', 'uncertain'],
    ['做一个商城,要有登录、购物车、支付和后台,附上测试', 'complex'],
    ['做一个贪吃蛇,有分数、暂停和重新开始', 'uncertain'],
    // Things to deliver are separate work; sections of one document are not.
    ['Prepare a poster, a budget sheet, an invitation and a seating plan', 'complex'],
    ['Prepare an agenda: budget, poster, invitation, seating plan', 'uncertain'],
    ['Make a README with sections for usage, tests, deployment and docs', 'uncertain'],
    ['帮我准备海报、预算表、邀请函和座位表', 'complex'],
    ['写一份邀请函,写明时间、地点、流程和着装', 'uncertain'],
    // An unknown verb starts a list of steps.
    ['Fumigate the greenhouse plan, rank the risks, draft a notice', 'complex'],
    ['During the audit, the team tests the app and writes a report', 'uncertain'],
    ['upgrade foo from 1 to 2, fix the warnings, then update the docs', 'complex'],
    ['upgrade foo and then check the version', 'uncertain'],
    ['Fetch page.html, convert it to text and save it', 'uncertain'],
    ['Trim notes.txt, add a title and fix the dates', 'simple'],
    [
      'Set up nginx on the web box, redis on the cache box, a queue on the third, backups to the NAS',
      'complex',
    ],
    ['Set up meetings with Anna on Monday, Bob on Tuesday, Carl on Friday', 'uncertain'],
    ['Try four models, compare them and deploy the best', 'complex'],
    ['Compare four models and tell me the best', 'uncertain'],
    // Text after a colon is material.
    ['Make this text friendlier: first fix the login, then test it, then deploy it', 'uncertain'],
    ['Rewrite our deployment: drop the scripts, add ansible, test the rollback', 'complex'],
    ['把下面这段话缩短:先完成调研,再搭建系统,最后写报告并附参考文献', 'uncertain'],
    ['完成下面的任务:先清洗数据,再搭建系统,最后写报告', 'complex'],
    ['Send a note to Tom: please update the list, bring the keys, call Eva', 'uncertain'],
    // Research without the word, and the word without a request.
    ['reserch the price of tin', 'research'],
    ['Give me a sourced answer on whether zinc shortens colds', 'research'],
    ['Look into zinc and colds, check meta-analyses and critics', 'research'],
    ['look into the log and check for errors', 'uncertain'],
    ['Check the references in paper.tex', 'simple'],
    ['Explain the evidence for evolution to a child', 'uncertain'],
    ['How do journalists check their sources?', 'uncertain'],
    ['锌能缩短感冒吗?看看临床试验怎么说,附上文献', 'research'],
    ['锡矿市场调查:产量、价格,每个数字都要给来源', 'research'],
    ['检查 paper.tex 里的文献格式', 'uncertain'],
    // What is not recognised as one step is not taken for one.
    ['Make our docs searchable', 'uncertain'],
    ['Sort out my taxes', 'uncertain'],
    ['Sort names.txt by the last name', 'simple'],
    ['Who supplies cobalt to Tesla?', 'uncertain'],
    ['who wrote Dune', 'simple'],
    ["What's happening with the Colorado River negotiations?", 'uncertain'],
    ["what's a closure", 'simple'],
    ['给我妈做个七十大寿', 'uncertain'],
    ['给我妈写一条生日短信', 'simple'],
    ['年轻人为什么不买房了？', 'uncertain'],
    ['天空为什么是蓝色的？用一句话解释一下', 'simple'],
    // A plan that is asked for in so many words, and one that is only mentioned.
    ['Make a plan and then build me a small tracker', 'complex'],
    ['What is a project plan?', 'simple'],
    ['Work in phases: phase one is the data, phase two is the model', 'complex'],
    ['What is a phase one trial?', 'simple'],
    ['把这个任务拆解成子任务并依次执行', 'complex'],
    ['分三个阶段完成：数据、模型、报告', 'complex'],
    ['用一句话解释一下什么是分阶段', 'simple'],
    ['First 把三个表 merge 起来，then 做分析，finally 画图', 'complex'],
    ['first 和 then 有什么区别', 'simple'],
    // Chinese with English words.
    ['帮我 research 一下 vector database 的 market，要有 citations', 'research'],
    ['帮我 review 一下 research.py', 'uncertain'],
    ['compare 一下这两个框架，看看 papers 怎么说，附 links', 'research'],
    ['做个 literature review，主题是 sleep', 'research'],
    ['literature review 是什么', 'simple'],
    ['先 download 这个 dataset，clean 一下，再 train 一个 classifier', 'complex'],
    ['什么时候用 download，什么时候用 clone？', 'simple'],
    ['把 repo clone 下来，跑一遍 tests，fix 掉 failing 的，然后 deploy 到 Vercel', 'complex'],
    ['把 deploy 和 release 这两个词翻译成中文', 'simple'],
    ['set up 一个 CI pipeline，写好 README', 'complex'],
    ['CI pipeline 是什么意思', 'simple'],
    ['重做官网：先盘点页面，再逐页迁移，最后检查所有链接', 'complex'],
    ['给我讲讲进化论的证据', 'uncertain'],
  ])('%s → %s', (prompt, route) => {
    expect(routeOf(prompt)).toBe(route);
  });
});

describe('decided before the words', () => {
  const words = 'First clean the data, then train a model, then write a report with sources';

  test.each<[RunMode, string, string, string | null]>([
    ['research', 'research', 'research', null],
    ['data', 'simple', 'executor', 'data_analysis'],
    ['app', 'simple', 'executor', 'app_builder'],
    ['image', 'simple', 'executor', 'image_generation'],
    ['slide', 'simple', 'executor', 'slide_generation'],
    ['writing', 'simple', 'executor', 'simple_writing'],
    ['code', 'simple', 'executor', 'code_generation'],
  ])('mode %s', (mode, route, agent, skill) => {
    expect(classify({ prompt: words, mode })).toEqual({
      ...{ route, agent, skill },
      reason: expect.stringMatching(/^[A-Z].+\.$/),
    });
  });

  test.each([
    ['use the code_review skill on main.py', 'code_review'],
    ['Please use the code review skill: first read main.py, then list the bugs', 'code_review'],
    ['/code_review src/app.ts', 'code_review'],
    ['用 data_analysis 技能，先读取 a.csv，然后画图', 'data_analysis'],
    ['run my invoice-check skill', 'invoice-check'],
    ['/proofread letter.md', 'proofread'],
    ['How do I use the code_review skill?', null],
    ['/etc is full, what can I delete?', null],
    ['/home/me/a.txt: count the words', null],
    ['use your drawing skill', null],
    ['Translate "use the code_review skill" into French', null],
  ])('%s → %s', (prompt, skill) => {
    const found = classify({ prompt, mode: 'task', skills: ['proofread'] });
    expect(found.skill).toBe(skill);
    if (skill !== null) expect(found.route).toBe('simple');
  });
});

test('the reason quotes the request', () => {
  expect(classify({ prompt: 'First tidy notes.md, then build a PDF', mode: 'task' })).toEqual({
    route: 'complex',
    agent: 'planner',
    reason: 'Several steps in turn: “tidy notes.md”, “build a PDF”.',
    skill: null,
  });
  expect(classify({ prompt: 'research the price of copper', mode: 'task' }).reason).toBe(
    'You asked for research: “research”.',
  );
});

describe('time grows linearly with the length of a prompt', () => {
  const KINDS: Readonly<Record<string, (length: number) => string>> = {
    'one word': (length) => 'a'.repeat(length),
    spaces: (length) => `write ${' '.repeat(length)}x`,
    'marks that never close': (length) => '"“「`'.repeat(length / 4),
    'pairs of marks': (length) => '"a" '.repeat(length / 4),
    'open fences': (length) => '```\n'.repeat(length / 4),
    'list items': (length) => '- add it\n'.repeat(length / 9),
    'in turn': (length) => 'then '.repeat(length / 5),
    'polite words': (length) => 'please can you '.repeat(length / 15),
    commas: (length) => 'make, '.repeat(length / 6),
    colons: (length) => 'a: '.repeat(length / 3),
    paragraphs: (length) => 'a\n\n'.repeat(length / 3),
    code: (length) => 'x = f(1);\n'.repeat(length / 10),
    brackets: (length) => '<a'.repeat(length / 2),
    'Chinese clauses': (length) => '先做，然后再做，'.repeat(length / 8),
    'one Chinese clause': (length) => '请帮我把的'.repeat(length / 5),
    'indefinite things': (length) => `make ${'a plan, '.repeat(length / 8)}`,
    'parts of a product': (length) => `make an app with ${'login, '.repeat(length / 7)}`,
    'text in front of a colon': (length) => `this text ${'this text below '.repeat(length / 16)}:`,
    'Chinese things in a row': (length) => `把${'表、'.repeat(length / 2)}`,
    'words of evidence': (length) => 'check studies and sources '.repeat(length / 26),
    slips: (length) => 'reserch '.repeat(length / 8),
    'requests for sources': (length) => 'write a report with several sources '.repeat(length / 36),
  };

  test.each(Object.keys(KINDS))('%s', (kind) => {
    const make = KINDS[kind] as (length: number) => string;
    const [small, large] = [make(62_500), make(500_000)];
    const time = (prompt: string): number =>
      Math.min(...Array.from({ length: 5 }, () => timed(() => classify({ prompt, mode: 'task' }))));
    time(small);
    // Eight times the length: quadratic work would take 64 times as long. Kernels count in ticks of up to 4 ms.
    expect(time(large)).toBeLessThan(24 * (time(small) + 4));
  });
});

/** CPU milliseconds of the thread: waiting on a busy machine does not count. */
function timed(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}

describe('npm run corpus:routing', () => {
  const root = join(import.meta.dirname, '../../..');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/corpus-routing.ts', ...args], {
      cwd: root,
      encoding: 'utf8',
    });

  test('prints accuracy, matrix and misses, and fails below the required accuracy', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-routing-'));
    const file = join(dir, 'set.jsonl');
    writeFileSync(
      file,
      '{"query":"hi","expect":"simple"}\n\n{"query":"What is DNS?","expect":"complex"}\n',
    );
    const { stdout, status } = run(file, '--at-least', '0.95');
    expect(stdout).toContain(
      'certain      2 / 2   100.0 %\nright        1 / 2 of the certain ones   50.0 %',
    );
    expect(stdout).toMatch(/complex\s+1\s+0\s+0\s+0\s+0\.0 %/);
    expect(stdout).toContain('MISS  complex → simple: "What is DNS?"');
    expect(status).toBe(1);
    expect(run(file, '--at-least', '0.5').status).toBe(0);
    rmSync(dir, { recursive: true });
  });

  test.each([
    ['{"query":', /bad\.jsonl:2: this is no JSON/],
    ['{"query":"hi","expect":"easy"}', /bad\.jsonl:2: expect: /],
    ['{"query":"hi","expect":"simple","mode":"chat"}', /bad\.jsonl:2: mode: /],
    ['{"expect":"simple"}', /bad\.jsonl:2: query: /],
  ])('names the line of %s', (line, message) => {
    const dir = mkdtempSync(join(tmpdir(), 'hyperagent-routing-'));
    const file = join(dir, 'bad.jsonl');
    writeFileSync(file, `{"query":"hi","expect":"simple"}\n${line}\n`);
    const { stderr, status } = run(file);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    rmSync(dir, { recursive: true });
  });

  test('counts the bundled sets if no file is given', () => {
    const printed = execFileSync(process.execPath, ['scripts/corpus-routing.ts'], { cwd: root });
    expect(printed.toString().match(/^right/gm)).toHaveLength(6);
  });
});
