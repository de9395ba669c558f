const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words without content of their own. */
export const FUNCTION_WORDS = list(`
a an the this that these those it its itself he him his himself herself themselves she her hers they them their theirs we us our you your i
me my one ones who whom whose which what where when why how there here of in on at by to from with into onto upon
for as than then so and or but nor yet if unless while whereas although though because since until till also too very
much many such both either neither each other others another own same just even still already again ever often about
around roughly approximately approximately nearly almost some any all every no not never none only more most less least few
several is are was were be been being am has have had having do does did done can could may might must shall should
will would out up off over under between among during through per via within without against toward towards across
along amid both however therefore thus hence moreover furthermore meanwhile according total number amount rate level
share figure value total now later said say says according stand stands stood
的 了 在 是 为 有 和 与 及 或 也 都 就 而 但 但是 其 它 他 她 它们 他们 这 那 这种 该 此 对 从 到 由 被 把 将 于 以 等 之 中 上 下 里 内 着 过 并 并且 而且
因为 所以 如果 虽然 约 大约 达 达到 共 共有 总 仅 只 才 又 还 再 很 最 更 会 能 可以 要 应 应该 可能 或许 不 没 没有 未 无 非 并非 其中 当中 以及 之间 所有 全部 每 部分 一些 有些 个 名
座 次 位 项 家 种 条 者 们 时 后 前 间 分别 目前 已 已经 曾 地 得 所 称 表示 认为 说 至 自 年 月 日 成 处 使 让 向 参加
`);

/** Function words that have an opposite. */
export const LIGHT_WORDS = list(
  'more less fewer most least against for above below over under up down before after with without inside outside 更 最',
);

/** Stands for what was named before; at the start of a statement it takes up the subject. */
export const PRONOUNS = list(
  'it its he his she her they their them this that these those who which 它 他 她 它们 他们 她们 其 该 此 这 那',
);

/** General words for what a source names: not a subject of their own. */
export const GENERAL_NOUNS = list(`
company firm city town country nation state area region place lake river mountain island tower bridge building
structure organisation organization institution agency government authority authorities group team researcher
researchers scientist scientists author authors study report paper article survey data figure figures people person man
woman writer artist scientist chemist physicist planet world globe system product project programme program model species animal plant
version release thing work method technology process event result finding number amount share rate value level total
part member user use period time year size capacity half third quarter percentage majority rest remainder loss
世界 全球 公司 城市 国家 地区 湖 河 山 研究 报告 人 项目 产品 数据 结果 系统 企业 机构 湖水 人们
`);

export const NEGATORS = list(`
not no never none neither nor without nobody nothing hardly scarcely fail failed fails failing refuse refused lack
lacks lacked lacking
不 没 没有 未 无 并非 不是 不会 不能 并不 并没有 从未 从不 未能 未曾 毫无 非 不能 无法 尚未 并未 不再 不得
`);

/** Denials of what follows. */
export const DENIALS = list(`
deny denies denied denying dispute disputes disputed disputing refute refutes refuted refuting rejected dismissed doubt doubts doubted
否认 驳斥 反驳 否定 质疑
`);

/** Admissions: what follows is said, and true. */
export const ADMISSIONS = list(
  'admit admits admitted acknowledge acknowledges acknowledged concede conceded 承认',
);

/** Says whose view follows, and that it is one. */
export const OPINIONS = list(`
claim claims claimed claiming allege alleges alleged argue argues argued arguing assert asserts asserted believe believes believed contend contends
contended insist insists insisted maintain maintains maintained accuse accused speculate speculated hope hopes hoped
fear fears feared think thinks thought suspect suspects suspected
声称 宣称 认为 主张 坚称 相信 怀疑 指控 据称 据说 猜测
`);

/** Says who reports what follows. */
export const REPORTS = list(`
say says said saying state states stated tell tells told report reports reported reporting according announce announces announced note
notes noted find finds found show shows showed shown reveal reveals revealed confirm confirms confirmed observe observed warn warns
warned caution cautions cautioned suggest suggests suggested conclude concludes concluded estimate estimates estimated
表示 称 说 指出 报道 宣布 据 透露 证实 强调 警告 提醒
`);

/** It may be so. */
export const DOUBTS = list(`
may might could possibly perhaps maybe probably likely unlikely potentially potential allegedly reportedly apparently supposedly
purportedly presumably seemingly seem seems seemed appear appears appeared suggest suggests suggested suspected alleged rumored rumoured conceivably tentative
可能 也许 或许 大概 似乎 据说 据称 疑似 恐怕 可能会 有可能 或将 或 疑 涉嫌 看来 或会
`);

/** It is not so yet. */
export const FUTURE = list(`
will would shall plan plans planned planning intend intends intended aim aims hope hopes propose proposes proposed expect expects expected predict predicted
predicts forecast scheduled anticipate anticipated anticipates pledge pledged
将 将会 计划 预计 预期 打算 拟 有望 预测 拟定
`);

export const CONDITIONS = list(
  'if unless provided except excluding only-if 如果 若 除非 假如 除 除了 只要 倘若 除外',
);

export type Quantity = 'all' | 'most' | 'some' | 'only' | 'almost';
export const QUANTITIES: ReadonlyMap<string, Quantity> = new Map([
  ...words(
    'all',
    'all every each everyone everybody everything always entirely whole universally invariably completely 所有 全部 每 一切 全体 总是 任何 始终 完全 均 皆',
  ),
  ...words(
    'most',
    'most majority mostly mainly largely typically usually generally often 大多数 多数 大部分 主要 通常 一般 往往',
  ),
  ...words(
    'some',
    'some several few certain partly partially sometimes occasionally 部分 一些 有些 少数 若干 某些 有的 有时 偶尔 几个',
  ),
  ...words('only', 'only solely exclusively merely 仅 只 仅仅 唯一 只有 仅有'),
  ...words('almost', 'almost nearly virtually practically 几乎'),
]);

function words(kind: Quantity, texts: string): [string, Quantity][] {
  return texts.split(' ').map((text) => [text, kind]);
}

export const AUXILIARIES = list(`
is are was were be been has have had do does did can could may might must shall should will would became becomes become remains remained
是 为 有 没有 达 达到 位于 于 可能 将 会 能 不 没 未 不会 不能 没有 并非 不是
`);

/** Verbs by their base form, with irregular pasts: where the subject of a clause ends. */
const VERBS = list(`
accept acquire add admit affect agree allow announce appear apply approve argue arrive ask attend avoid award ban became become beat
began begin believe bought boil break bring broke brought build built buy call came carry cause caution change charge choose chose claim close
collapse collect come comprise connect consist contain continue contribute cost cover create cross cut deny decide declare decline
decrease defeat deliver depend describe design destroy develop die direct disappear discover drop earn elect employ enable end
enter establish estimate exceed exist expand expect export extend face fail fall feature feed fell find finish flow fly follow force form
freeze found gain gave generate get give go got grew grow happen have held help hit hold host import improve include increase
indicate influence inhabit introduce invent invest join keep kept kill know knew launch lead leave led left lie lay link live lose lost
made make manage mark mean measure meet melt met move name need number occur offer open operate oppose order own paid pass pay
perform place plan play prevent produce promise prove provide publish put raise ran reach receive record reduce refuse reject
release remain remove replace report represent require resign result return reveal rise rose rule run said sank saw say see sell send sent
serve set share show shrink shrank sign sink sold spend spent split spread stand start state stay stem stood stop store stretch study suffer suggest
supply support surpass survive take taught teach tell think thought threaten told took treat try turn use vary visit vote want warn win won
work write wrote yield born orbit strike struck surrender read inoculate shorten lengthen carry circle watch walk land mine grow drain flow empty house hire train travel sail sign vote kill wound rescue trade trace back span belong border depict display earn escape estimate evolve exhibit feature fight fought finance fund guide hit host hunt inspire inherit investigate issue kick lay learn lecture lend lent loan marry nominate note observe obtain occupy organise overtake oversee own paint patent pioneer plant prefer preserve press print propose purchase question quit rank reform regain reign remind rent restore retain retire return ruin sack sail save search select settle shape shoot shot ship sing sank sit sat smoke solve speak spoke sponsor steal stole stress succeed suspend sue swim tend test trade trail train transfer translate transmit trigger undergo underwent unite update urge value view wear wore weigh withdraw withdrew witness woke wonder worship erupt rank total average span lack lift lower weigh double triple halve climb amount
增长 下降 上升 降低 提高 达到 连接 位于 开通 否认 承认 认为 表示 宣布 发现 增加 减少 结冰 服用 参加 包括 拥有 成立 建于 出生 获得 生产 出口 进口 收购 批准 拒绝 支持 反对 占 属于 导致 开始 结束 覆盖 采用
`);

function isSayingVerb(word: string): boolean {
  return (
    [OPINIONS, DENIALS, ADMISSIONS].some((words) => words.has(word)) ||
    (REPORTS.has(word) && word !== 'according' && word !== '据')
  );
}

export function isVerb(word: string): boolean {
  if (AUXILIARIES.has(word) || VERBS.has(word) || isSayingVerb(word)) return true;
  if (/^[a-z]{3,}(?:ed)$/.test(word) && !/eed$/.test(word)) return true;
  if (/^[a-z]{3,}s$/.test(word)) {
    const base = word.slice(0, -1);
    return (
      VERBS.has(base) || VERBS.has(base.replace(/e$/, '')) || VERBS.has(base.replace(/ie$/, 'y'))
    );
  }
  return false;
}

/** Words that begin another clause. */
export const SPLITTERS = new Set(
  'but while whereas although though because however if unless which who where so 但 但是 而 虽然 尽管 不过'.split(
    ' ',
  ),
);

export const PREPOSITIONS = new Set(
  'according in at on by between since until after before during for of with from under over about as to within across among than 在 于 从 自'.split(
    ' ',
  ),
);

export const BE = new Set('is are was were be been being'.split(' '));
