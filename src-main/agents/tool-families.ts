import { roughTokens } from '#contract/rough-tokens.ts';
import { TOOL_FAMILIES, type ToolFamily, toolFacts } from '#contract/tools.ts';
import { parentOf, RUN_STEP } from '../base/step-path.ts';
import type { ChatMessage, ToolCall, ToolSchema } from '../models/types.ts';
import type { RunJournal } from '../storage/types.ts';
import type { KnownTool } from '../tools/prepare-call.ts';
import { readUserTurn } from './context/user-turn.ts';
import { parseStoredAnswer } from './stored-answer.ts';
import type { AgentContext } from './types.ts';

/** Words that mean a browser. */
const BROWSER = /\bbrowsers?\b|浏览器|瀏覽器/i;
const ADDRESS = /(?<![a-z0-9])https?:\/\/\S+/gi;
/** With an address, what is done on a page, and not only read. */
const ON_A_PAGE =
  /\b(?:click|fill(?: in| out)?|log ?in|sign ?(?:in|up)|book (?:a|an|me|the)|reserve|forms?|submit|check ?out|add to (?:the |my )?cart|drop-?down)\b|点击|點擊|点一下|填写|填寫|填表|表单|登录|登錄|登入|注册|註冊|预订|预约|提交|下单/i;

/** Making what runs in a page. */
const APP =
  /\b(?:build|make|create|develop|code|design|scaffold|write)\b[^.!?\n]{0,60}\b(?:web ?app|app|web ?site|web ?page|landing page|dashboard|habit tracker|todo list|browser game|front-?end)\b|(?:做|建|创建|創建|开发|開發|搭建|写|寫|制作|製作)[^。！？\n]{0,20}(?:网页|網頁|网站|網站|应用|應用|小游戏|小遊戲|看板|前端)/i;
/** Programs that no page shows. */
const OTHER_PROGRAM =
  /\b(?:command[- ]line|cli|terminal|android|ios|mobile app|phone app|desktop app|tkinter|qt|swift|kotlin|bot|script)\b|命令行|安卓|脚本|腳本/i;

/** Making or changing slides, and what else is turned into them. */
const SLIDES =
  /\b(?:make|create|build|generate|prepare|produce|design|draft|write|put together|need|want|give me|add|change|update|edit|replace|improve|polish)\b(?:(?!\bfor\b)[^.!?\n]){0,80}\b(?:slides\b|(?:an?|one|another|each|last|first|title|closing|\d+(?:st|nd|rd|th)?)[ -]slide\b(?! ?(?:rule|show|transition))|slide ?(?:\d+\b|decks?\b|shows?\b)|(?:pitch|sales|investor|board|strategy|launch) deck\b|deck (?:about|on)\b|presentations?\b(?! (?:skills?|layer|mode|style|component|logic|of)\b)|power ?points?\b|pptx?\b)|\b(?:as|into) (?:an? |some |\d+ )?(?:\w+ )?(?:slides|slide ?deck|deck|presentation|power ?point|pptx?)\b|^\W*(?:an? )?(?:\d+(?:[ -]slide| [a-z]+)? )?(?:slides|slide ?deck|deck|presentation|power ?point|pptx?) (?:about|on|for)\b|(?:做|制作|製作|生成|写|寫|创建|創建|准备|準備|设计|設計|整理|转|轉|变成|變成|改|加|更新|一份|一个|一套)[^。！？\n]{0,40}(?:幻灯片|幻燈片|演示文稿|演示稿|投影片|簡報|PPTX?(?![a-z]))/i;
/** Decks of wood and of cards, and what only moves or handles slides. */
const OTHER_SLIDES =
  /\b(?:wooden|garden|backyard|patio|house|boat|playground|water|microscope|cards?|carousel|python-pptx)\b|\b(?:script|program|function|parser|component|class|test)s? (?:that|which|to|for|in)\b/i;
const POWER_POINT = /\bpower ?point|\bpptx?\b|幻灯片|幻燈片|演示文稿/i;

/** Making pictures that a model draws. */
const IMAGES =
  /\b(?:generate|create|make|draw|redraw|paint|design|render|sketch|produce|give me|need|want)\b[^.!?\n]{0,60}\b(?:images?|pictures?|illustrations?|drawings?|paintings?|photos?|photographs?|photorealistic|artworks?|wallpapers?|portraits?|logos?|icons?|cartoons?|stickers?|avatars?|posters?|book cover|(?:concept|cover|pixel) art)\b|\b(?:draw|redraw|paint|sketch)\b(?: me)? (?:an?|the|some|two|three|four|my|this)\b|\b(?:watercolou?r|oil painting|portrait|illustration|photograph|pencil sketch) of (?:an?|the|my)\b|(?:画|畫|绘制|繪製|生成|创作|創作|设计|設計|做|来)[^。！？\n]{0,30}(?:图片|圖片|图像|圖像|景图|插图|插圖|插画|插畫|照片|海报|海報|头像|頭像|壁纸|壁紙|标志|標誌|logo|一幅|一张画)|(?:画|畫)(?:一|只|個|个|幅|张|張)|生成一[张幅][^。！？\n]{0,30}图/i;
/** Changing one. */
const IMAGE_CHANGE =
  /\b(?:upscale|retouch|inpaint|colou?ri[sz]e)\b|\b(?:turn|edit|remove|erase|put|add|change|replace|make)\b[^.!?\n]{0,50}(?:\b(?:this|the|that|my|attached|same) (?:attached )?(?:photo|picture|image|selfie|doodle|drawing|painting)\b|\.(?:png|jpe?g|webp)\b)|(?:把|将|將|帮我把|請把)[^。！？\n]{0,12}(?:照片|图片|圖片|图里|圖裡|自拍)[^。！？\n]{0,20}(?:换|換|改|变|變|去掉|加上)|\bsame picture (?:again|but)\b/i;
/** Images of disks and containers, pictures of data, and programs and pages that hold pictures. */
const OTHER_IMAGES =
  /\b(?:docker(?:file)?|containers?|disk|iso|boot(?:able)?|base image|vm|kernel|qcow2|ami|charts?|plots?|graphs?|histograms?|diagrams?|flowcharts?|matplotlib|mermaid|html|css|web ?(?:page|site|app)s?|upload|galler(?:y|ies)|scripts?|programs?|functions?|components?|class|api|conclusions?|attention|line between|screenshots?|big picture|paint a picture of|favicon|resize|convert|rename|compress|thumbnails?|captions?|describe|analy[sz]e|metadata|exif|folder)\b|图表|圖表|流程图|流程圖|柱状图|折线图|网页|網頁|脚本|腳本|截图|截圖|结论|結論|压缩|重命名|转换成/i;

/** How a load is shown: what it brings. */
const SHOWN: Readonly<Record<ToolFamily, string>> = {
  browser: 'Loaded the browser tools: open pages, look, click, type, upload and download',
  app: 'Loaded the app tools: create an app, write its files, run it, check it and show it live',
  slides: 'Loaded the slides tool: make a presentation, and change it slide by slide',
  images: 'Loaded the image tool: make pictures from words, and change them',
};

const ALL_FAMILIES: ReadonlySet<ToolFamily> = new Set(TOOL_FAMILIES);

/** Of a model whose window is not known, in tokens. */
const SMALL_WINDOW = 8_192;

/** What is sent of connectors: their tools, or those by which they are found. */
interface ShownConnectors {
  readonly own: readonly ToolSchema[];
  readonly withFinders: boolean;
}

function isOfConnectors({ definition: { category } }: KnownTool): boolean {
  return category === 'connector';
}

/** The tools by which those of connectors are found and called. */
function isFinder({ definition: { name } }: KnownTool): boolean {
  return toolFacts(name)?.category === 'connector';
}

export interface LoadParts {
  readonly journal: RunJournal;
  /** The tools of the run with these families loaded. */
  readonly toolsWith: (loaded: ReadonlySet<ToolFamily>) => ReadonlyMap<string, KnownTool>;
}

/** The tools of one run of an agent. A load changes them once, and then they stay; see `familiesIn`. */
export class LoadedTools {
  readonly #context: AgentContext;
  readonly #toolsWith: LoadParts['toolsWith'];
  readonly #loaded: Set<ToolFamily>;
  readonly #shown: Set<ToolFamily>;
  #connectors: ShownConnectors | null = null;

  constructor(messages: readonly ChatMessage[], context: AgentContext, parts: LoadParts) {
    this.#context = context;
    this.#toolsWith = parts.toolsWith;
    // An agent that is given tools by name has exactly these.
    const isFree = context.toolNames === undefined;
    const carried = isFree ? familiesBefore(parts.journal, context) : TOOL_FAMILIES;
    const turn = Math.max(
      0,
      messages.findLastIndex(({ role }) => role === 'user'),
    );
    this.#loaded = new Set([...familiesIn(messages), ...carried]);
    this.#shown = new Set([...familiesIn(messages.slice(0, turn)), ...carried]);
  }

  /** Those whose calls are accepted. */
  get byName(): ReadonlyMap<string, KnownTool> {
    return this.#toolsWith(this.#loaded);
  }

  /** With those of every family: skills and scripts call by name what no model is sent. */
  get all(): ReadonlyMap<string, KnownTool> {
    return this.#toolsWith(ALL_FAMILIES);
  }

  /**
   * What the model is sent: the tool that loads families only while one is left; the tools of connectors where they fit
   * into their share of its window, else those by which they are found and called. Shows each load once.
   */
  schemas(): ToolSchema[] {
    for (const family of this.#loaded) {
      if (this.#shown.has(family)) continue;
      this.#shown.add(family);
      const name = `load_tools ${family}`;
      this.#context.emit({
        ...{ type: 'stage', name, status: 'completed', description: SHOWN[family] },
        agent: 'executor',
      });
    }
    const isComplete = this.#loaded.size === TOOL_FAMILIES.length;
    const tools = [...this.byName.values()];
    this.#connectors ??= this.#shownOfConnectors(tools);
    const { own, withFinders } = this.#connectors;
    return tools
      .filter((tool) => !isOfConnectors(tool) || (withFinders && isFinder(tool)))
      .map(({ schema }) => schema)
      .filter(({ name }) => !(isComplete && name === 'load_tools'))
      .concat(own);
  }

  /** Decided once: tools that come or go while the agent works change nothing of what it is sent, only its calls. */
  #shownOfConnectors(tools: readonly KnownTool[]): ShownConnectors {
    const own = tools.filter((tool) => isOfConnectors(tool) && !isFinder(tool));
    const schemas = own.map(({ schema }) => schema);
    const { model, toolNames, connectorShare } = this.#context;
    // An agent that is given tools by name gets exactly these.
    if (toolNames !== undefined) return { own: schemas, withFinders: true };
    const cost = schemas.reduce((sum, schema) => sum + roughTokens(JSON.stringify(schema)), 0);
    const fits = cost <= (model.contextWindow ?? SMALL_WINDOW) * connectorShare;
    return { own: fits ? schemas : [], withFinders: !fits };
  }

  /** Follows the conversation. */
  note(messages: readonly ChatMessage[]): void {
    for (const family of familiesIn(messages)) this.#loaded.add(family);
  }
}

/**
 * The families of tools that are loaded for a conversation, by what is in it alone, so that a run that resumes, a
 * copy and a later run have the same: the words of the user need one, a call loaded it, or a tool of it was called.
 */
export function familiesIn(messages: readonly ChatMessage[]): Set<ToolFamily> {
  const loaded = new Set<ToolFamily>();
  for (const message of messages) {
    const words = readUserTurn(message) ?? '';
    if (needsBrowser(words)) loaded.add('browser');
    if (needsApp(words)) loaded.add('app');
    if (needsSlides(words)) loaded.add('slides');
    if (needsImages(words)) loaded.add('images');
    if (message.role !== 'assistant') continue;
    for (const family of familiesOf(message.toolCalls ?? [])) loaded.add(family);
  }
  return loaded;
}

/**
 * The families that other branches of the run have loaded before this one had an answer: the steps of a plan, whose
 * calls are not in the conversation, share them.
 */
export function familiesBefore(
  journal: RunJournal,
  { runId, branch }: Pick<AgentContext, 'runId' | 'branch'>,
): Set<ToolFamily> {
  if (branch === RUN_STEP) return new Set();
  const answers = journal.list(runId, 'answer');
  const own = answers.findIndex(({ step }) => parentOf(step) === branch);
  const earlier = own < 0 ? answers : answers.slice(0, own);
  return new Set(
    earlier.flatMap(({ payload }) => familiesOf(parseStoredAnswer(payload).toolCalls)),
  );
}

function familiesOf(calls: readonly ToolCall[]): ToolFamily[] {
  return calls.flatMap(({ name, arguments: given }) => {
    const family = name === 'load_tools' ? given.family : toolFacts(name)?.family;
    return TOOL_FAMILIES.find((one) => one === family) ?? [];
  });
}

/** Whether the user's own words certainly ask for an app that is shown in a page. */
function needsApp(words: string): boolean {
  return APP.test(words) && !OTHER_PROGRAM.test(words);
}

/** Whether the user's own words certainly ask for slides of a presentation; those of a web page are part of an app. */
function needsSlides(words: string): boolean {
  if (!SLIDES.test(words) || OTHER_SLIDES.test(words)) return false;
  return !needsApp(words) || POWER_POINT.test(words);
}

/** Whether the user's own words certainly ask for a picture that a model draws. */
function needsImages(words: string): boolean {
  const isAsked = IMAGES.test(words) || IMAGE_CHANGE.test(words);
  return isAsked && !OTHER_IMAGES.test(words) && !needsApp(words) && !needsSlides(words);
}

/** Whether the user's own words certainly need a browser. */
function needsBrowser(words: string): boolean {
  if (BROWSER.test(words)) return true;
  const withoutAddresses = words.replace(ADDRESS, ' ');
  return withoutAddresses !== words && ON_A_PAGE.test(withoutAddresses);
}
