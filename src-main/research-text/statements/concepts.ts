import { stemOf } from '../terms.ts';

/** Words of one meaning; the first names the concept. Irregular forms are listed, regular ones are stemmed. */
const GROUPS = `
increase rise rose risen grow grew grown growth climb gain raise raised surge jump expand add 增长 增加 上升 升高 提高 提升 升至 增至 上涨 上调 扩大 涨
decrease fall fell fallen drop decline reduce reduction lower lose lost loss shrink shrank shrunk cut 下降 减少 降低 降至 减至 下跌 下滑 下调 缩小 跌 降
large big great huge bigger larger greater 大 更大
more 多 更多
small little smaller 小 更小
less fewer 少 更少
largest biggest greatest 最大
most 最多
smallest 最小
least fewest 最少
high tall height 高 更高 高度
low 低 更低
highest tallest 最高
lowest 最低 最浅
deep depth deepest deeper 深 最深 最深处 深处 水深 深度
shallow shallowest 浅
long length longer 长 全长 长度
short shorter brief 短
wide width broad breadth 宽
strong strength strengthen stronger 强
weak weakness weaken weaker 弱
fast quick rapid faster quicker speed 快
slow slower 慢
hot hotter warm warmer warming heat 热
cold cool colder cooler cooling 冷
early earlier 早 提前
late later 晚 推迟
old older 老
young younger 年轻
new newer recent 新
start begin began begun open opened commence 开始 启动 开通 开业
end finish stop cease close closed completion completed 结束 停止 关闭 完成 完工 竣工
approve approval authorise authorize permit allow clear 批准 允许 通过
reject refuse decline forbid forbade forbidden ban prohibit block 拒绝 禁止 否决
accept 接受
support back favour favor 支持 赞成
oppose opposition 反对
higher
win won winner victory 赢 获胜 胜
defeat beaten 输 失败
buy bought purchase acquire acquisition takeover 收购 购买 买
sell sold sale 出售 卖 销售
export 出口
import 进口
get got receive obtain gain 获得 得到 收到 获
give gave given provide grant 给 提供
prove proof proven demonstrate 证明
show showed shown reveal indicate 显示 表明
find found 发现
cause lead led result 导致 引起 造成
prevent avoid 防止 避免
protect 保护
harm damage hurt destroy 损害 破坏
improve improvement better best 改善 好转
worsen worse worst deteriorate 恶化
safe safety 安全
dangerous danger unsafe 危险
effective effect work 有效
ineffective 无效
possible able 可能
impossible unable 不可能
common frequent usual 常见
rare rarely seldom unusual 罕见 少见
include contain comprise hold held consist have 包含 包括 含有
exclude except 除外 排除
before prior 之前 以前
after following 之后 以后
above over exceed 高于 超过 以上
below under 低于 不足 以下
inside within 内
outside 外
north northern 北 北部
south southern 南 南部
east eastern 东 东部
west western 西 西部
left 左
right 右
male man men boy 男 男性
female woman women girl 女 女性
child children kid 儿童 孩子
adult 成人 成年人
build built building construct construction 建造 建设 建成 修建
make made produce production manufacture generate output create 生产 制造 产量
use usage employ utilise utilize 使用
person people inhabitant resident population 人 人口 居民
patient 患者 病人
company firm business corporation 公司 企业
area surface 面积 占地
cover 覆盖
orbit circle
full complete entire
live inhabit 居住
die died dead death kill 死 死亡 去世
birth born bear bore 出生
boil 沸腾
freeze froze frozen 结冰 冻结 冰封
melt 融化
admit acknowledge concede confess 承认
deny denied denial refute dispute 否认 驳斥
connect link join 连接
invent invention 发明
discover discovery
introduce introduction 引入 推出
remove delete abolish scrap 删除 取消
move moved relocate go went gone 迁 搬
visit 访问
cost price 成本 费用 价格
earn income 收入
revenue turnover sales 营收 收入 营业额
profit 利润 盈利
deficit 亏损
car automobile vehicle 汽车
doctor physician 医生
study research investigation 研究
researcher scientist author 研究人员 科学家
drug medicine medication 药物 药
year annual yearly 年
month monthly
day daily
week weekly
half
percent proportion percentage
require need must 需要 必须
replace substitute 替换 取代
remain stay kept keep 保持
reach reached attain amount total 达到 达
appoint name 任命
resign quit 辞职
arrive arrival 到达
leave depart departure 离开
launch liftoff
enter 进入
exit
receive
pass cross
rate
run ran operate operation 运行 运营
hundred
dam
write wrote written author pen
speak spoke spoken
teach taught
catch caught
send sent
spend spent
pay paid
meet met
lie lay lain locate situate 位于 坐落 地处
stand stood
take took taken
see saw seen
know knew known
think thought
draw drew drawn
drive drove driven
fly flew flown
eat ate eaten
choose chose chosen elect
win
exempt exemption
allege claim assert 声称 宣称
`;

/** Pairs of concepts that exclude each other. */
const OPPOSITES = `
increase decrease|more less|most least|for against|support against|up down|over under|with without|higher lower|large less|small more|increase less|decrease more|large small|largest smallest|high low|highest lowest|highest smallest|largest lowest|deep shallow|long short
strong weak|fast slow|hot cold|early late|old young|old new|start end|approve reject|accept reject|support oppose|support reject|win defeat|win decrease
buy sell|export import|get give|prevent cause|allow prevent|protect harm|improve worsen|improve harm|safe dangerous|effective ineffective|possible impossible
common rare|include exclude|before after|above below|inside outside|north south|east west|north east|north west|south east|south west|left right|male female
child adult|boil freeze|freeze melt|boil melt|admit deny|accept deny|introduce remove|increase remove|profit deficit|get decrease|arrive leave|enter exit|enter leave|appoint resign|large shallow
majority minority|first last|best worst|public private|positive negative|legal illegal|voluntary compulsory|mandatory optional|active inactive|rich poor|urban rural|maximum minimum|upper lower|primary secondary|temporary permanent|direct indirect|internal external|domestic foreign|import domestic|encourage discourage|increase halve|success failure|succeed fail|agree disagree|love hate|strengthen weaken|attack defend|lend borrow|teach learn|hire fire|hire dismiss|ascend descend|push pull|guilty innocent|wet dry|light heavy|light dark|thick thin|full empty|day night|summer winter|morning evening|benign malignant|acid alkaline|employ dismiss|convict acquit|upgrade downgrade|ally enemy|friend enemy|merge split|separate connect|dissolve found|establish dissolve|adult juvenile
better worse|true false|correct incorrect|visible invisible|fertile barren|alive dead|live die|birth die|import export
`;

const CONCEPTS = new Map<string, string>();
for (const line of GROUPS.trim().split('\n')) {
  const [head = '', ...rest] = line.split(' ');
  for (const word of [head, ...rest]) {
    const key = stemOf(word);
    if (!CONCEPTS.has(key)) CONCEPTS.set(key, stemOf(head));
    if (!CONCEPTS.has(word)) CONCEPTS.set(word, stemOf(head));
  }
}

const OPPOSITE = new Map<string, Set<string>>();
for (const pair of OPPOSITES.trim().split(/[|\n]/)) {
  const [one = '', other = ''] = pair.split(' ').map(conceptOf);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    OPPOSITE.set(from, (OPPOSITE.get(from) ?? new Set()).add(to));
  }
}

/** What a word means, for comparison: words of one meaning have one concept. */
export function conceptOf(word: string): string {
  const known = CONCEPTS.get(word);
  if (known !== undefined) return known;
  const stem = stemOf(word);
  return CONCEPTS.get(stem) ?? stem;
}

/** Concepts that exclude this one; none for most. */
export function oppositesOf(concept: string): ReadonlySet<string> {
  return OPPOSITE.get(concept) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

/** Whether two words are forms of one: `vaccine` and `vaccinated`. */
export function areForms(one: string, other: string): boolean {
  if (one === other) return true;
  const least = Math.min(one.length, other.length);
  if (least < 4 || !/^[a-z]+$/.test(one) || !/^[a-z]+$/.test(other)) return false;
  let same = 0;
  while (same < least && one[same] === other[same]) same += 1;
  return (
    same >= Math.max(4, Math.ceil(least * 0.75)) && Math.max(one.length, other.length) - same <= 5
  );
}
