/**
 * Verbs that start a step. In English, only the bare form is an imperative: "backs up" and "tried" are
 * statements. Words that are often nouns count only before a possible object.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Verbs for separate work. */
export const ACTIONS = words(`
  add adapt adjust aggregate align analyze analyse annotate append apply archive arrange assemble
  automate backup benchmark build bump calculate categorize categorise classify clean cluster clone
  code collect combine commit compare compile compose compress compute configure connect convert
  copy correct crawl create crop cut debug decompress deduplicate delete deploy describe detect
  develop discard divide download draft draw edit email evaluate examine execute export extract
  fetch fill filter finish fit fix flag format gather generate group identify illustrate implement
  import improve index inspect insert install integrate investigate join label launch list load
  log mail make manage map mark measure merge migrate modify monitor move normalize normalise
  optimize optimise organize organise package parse pick plot populate prepare dedupe localize localise containerize dockerize transcribe train digitize anonymize redact encrypt prune lint retouch reconcile produce prioritize
  profile propose publish pull push put query rank recommend record redesign reduce refactor release
  remove rename reorganize reorganise replace report reproduce research resize resolve restructure
  rewrite rotate run scan schedule scrape search send separate set setup simulate sort split
  standardize store summarize summarise sync tag test total train transform translate trim turn
  unzip tidy update upgrade upload validate verify visualize visualise write zip estimate assign back
  check find get chart graph plan design document review delete deliver present outline transcribe
  subtract sum count score rate highlight order print
  audit patch repair wire roll rework cover switch swap wrap serve tune retrain work pull draw bring hook
  interview translate brainstorm invent sketch storyboard script film paint research survey reconcile post
  secure harden monitor provision host mirror restore decommission retire stub mock seed index join enrich model catalogue catalog digitise compute assess inventory
  crosscheck backfill break divide rebuild reformat relabel rotate price budget book costing shortlist weigh
`);

/** Verbs that accompany other work: looking, reporting, saving, and describing a result. */
export const LIGHT = words(`
  open read load look tell show print save give let take say go see explain keep use mention include
  avoid ensure return respond answer output limit start begin display view ask confirm wait try
  remember note follow find get check list count describe finish stop don't do be provide skip
  leave call name copy
`);

/** Often nouns: a step only if an object follows. */
export const AMBIGUOUS = words(`
  archive benchmark chart code commit copy design document draft email estimate export fit flag
  format graph group import index install label launch list load log mail map mark measure order
  package plan plot print profile query rank rate record release report research review run scan
  schedule score search set setup show sort split start store sum tag test total train transform
  update upgrade upload use view note name answer call cut pick move push put backup present
  outline zip trim turn build cluster join filter email count check back highlight study
  audit patch wire roll cover switch swap wrap serve work pull draw bring hook interview sketch script film
  paint host mirror break index price budget book survey seed stub mock secure post costing monitor model catalogue catalog inventory
`);

const OBJECT_STARTS = words(`
  a an the it them this that these those each every all any both my our your his her their its one
  two three four five six seven eight nine ten some only which what whether how up out down off in
  into on by to for with from everything everyone results result data duplicates duplicate errors error
  missing outliers tests unit files file rows columns dates prices names charts new old top monthly
  weekly daily total average failing another me us through over together again as at sure
`);

/** Never unknown imperatives: function words and past forms. */
const NEVER_IMPERATIVE = words(`
  i you he she we they who what which how why when where there here if so because although while is
  are was were be been has have had do did can could will would should may might must not no never
  met found went saw took got came made told ran ate gave left bought sold lost won began fell felt
  kept knew said sat sent spent stood taught thought wrote built broke brought caught chose drove flew
  became paid held led grew drew threw wore woke spoke slept rose rode hid fought forgot fed dug
`);
const DETERMINERS = words(
  'a an the it them this these those each all every any both my our your his her their two three four five ten',
);
/** After a verb, these belong to it: "wire up the pumps", "bring over the levels". */
const PARTICLES = words('up out over together off down through back across');
/** Other words before "the" or "my" at the start of a sentence that are not verbs. */
const NEVER_OPENING = words(`
  during with without after before under inside outside both besides despite about like unlike among
  between against across over above below behind beyond near within into onto upon from for per via plus
  until till since through throughout along around at in on by to of as than then thus hence also even
  only still just again once maybe perhaps today tomorrow tonight yesterday sometimes often always
  usually however therefore instead meanwhile whenever wherever whatever whoever whichever unless
  though while that such hope love hate wish guess thank think feel enjoy prefer miss mum dad
  half most many much more less few none neither either nor and but or not all please hello hey
`);

/**
 * The weight of a step that starts with these two words: 0 if it is not a step, else 0.25 to 1. After
 * "first" or "then" (`isInTurn`), and among steps, unknown verbs count too.
 */
export function weightOf(
  word: string,
  next: string,
  { isInTurn = false, isAmongSteps = false }: { isInTurn?: boolean; isAmongSteps?: boolean } = {},
): number {
  const isFollowed = DETERMINERS.has(next) || PARTICLES.has(next);
  if ((isInTurn || isAmongSteps) && isUnknownVerb(word) && isFollowed) return 1;
  const isAction = ACTIONS.has(word);
  if (!isAction && !LIGHT.has(word)) return 0;
  const hasObject = OBJECT_STARTS.has(next) || /[\d._/“]/.test(next);
  if (AMBIGUOUS.has(word) && !isInTurn && !hasObject && !/[^s]s$/.test(next)) return 0;
  return LIGHT.has(word) ? 0.25 : 1;
}

/**
 * Whether these words may be a step if steps follow in the sentence: "Audit the repo, rank …", "upgrade
 * django from 3 to 5, fix …". On their own they would be too ambiguous.
 */
export function mayStartSteps(word: string, next: string): boolean {
  if (next === '') return false;
  if (ACTIONS.has(word)) return true;
  return (
    isUnknownVerb(word) &&
    !NEVER_OPENING.has(word) &&
    (DETERMINERS.has(next) || PARTICLES.has(next) || /\d/.test(next))
  );
}

function isUnknownVerb(word: string): boolean {
  if (ACTIONS.has(word) || LIGHT.has(word) || NEVER_IMPERATIVE.has(word) || OBJECT_STARTS.has(word))
    return false;
  return word.length > 2 && !/(?:s|ed|ing|ly)$/.test(word);
}

/** Chinese verbs of work, longest first where one begins another. */
export const CHINESE_ACTION =
  /^(?:下载|上传|清洗|清理|训练|输出|生成|创建|新建|搭建|构建|建立|部署|安装|配置|运行|执行|测试|修复|修改|重构|重写|改写|更新|升级|提交|发布|提取|抽取|抓取|爬取|采集|收集|搜集|整理|汇总|梳理|合并|拆分|删除|去除|移除|去掉|过滤|筛选|排序|分类|分组|归类|统计|计算|估算|预测|分析|对比|比较|评估|绘制|画|制作|做|写|撰写|编写|起草|填写|填|标出|标记|标注|翻译|转换|转成|换成|压缩|解压|备份|恢复|迁移|导入|导出|存|存储|保存|写入|发送|发|发布|邮件|配|插入|添加|加上|加|设计|实现|开发|优化|校对|润色|检查|核对|验证|审查|克隆|打包|合成|拼接|裁剪|调整|找出|找到|查找|选出|挑选|列出|提出|给.{0,12}(?:起草|发|写|做|加|配|添加)|总结|归纳|概括|研究|调研|修|改|支付|上线|重命名|命名|移动|复制|替换|可视化|建模|爬|画出|做成|写成|写好|写一|部署|搜索|调查|加载|处理|匹配|联调|集成|监控|定时|抄送|打印|扫描|识别|转录|剪辑|录制|渲染|跑|补|搭|试(?!卷|题|用期|了)|选(?!项|手|题|修|课)|挑|排(?!骨|球|队|名|行|除)|定(?!期|律|义|理|位|稿)|列|拆|装(?!修|备|饰)|接(?!着|下来|口|近|受|到)|换(?!句话|言)|迁|搬|升|挪|封装|交叉验证|比一比|排查|摸底|盘点|归档|转|剪|拍|录|订|预订|编|拟|出(?!现|差|生|国|口)|准备|布置|策划|搞(?!笑|清)|抓(?!紧|住|狂)|放(?!假|心|学|松)|推送|找差距|建(?!议|筑)|估|编目|测算|下线|统计|复盘|合(?!同|适|计|作|理|成)|规划|核算|登记|对账|校验|对齐|统一|替|拉取|入库|调研|调优|微调|蒸馏|标|切|抽|导|打标签|逐[条个篇份].{0,8}(?:打|写|改|核|标|查|看)|打分|评分|打出|逐个.{0,8}改)/;
export const CHINESE_LIGHT =
  /^(?:读取|读|打开|看看|看|告诉|说明|说|显示|展示|保存|存|列出|查(?!找|询一)|检查|注意|用|使用|要|不要|请|回答|返回|输出|解释|介绍|加载|命名)/;
