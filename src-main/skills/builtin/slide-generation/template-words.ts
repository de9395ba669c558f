import { anyOf, sentencesOf } from './wish-words.ts';

/** Words for how slides look, and for what gives them that. */
const LOOKS = anyOf(
  /\b(?:templates?|layouts?|brand\w*|corporate|styl\w+|design\w*|looks?|master|themed?|dress\w*|appearance|skin|colou?rs|fonts|identity|formatting|house style|ci)\b/,
  /vorlage|gestalt\w*|\baussehen|aussieht|\boptik|\bstil\b|farben|hausschrift|folienmaster/,
  /modèle|gabarit|charte|couleurs|apparence|\baspect\b|mise en forme|habillage|plantilla|aspecto|diseño|estilo|colores|apariencia|imagen corporativa/,
  /模板|版式|样式|风格|设计|母版|外观|テンプレ|デザイン|見た目|スタイル|雛形|ひな形|قالب|تصميم|شكل|هوية|مظهر|ألوان/,
);
const ITS =
  '(?:the |my |our |your |this |that |file |das |die |der |meine |unsere |le |la |mon |ma |notre |el |mi |nuestr[ao] |ملف |العرض )*';
/** A file that is changed or read, and one that is written: it stands at MARK. */
const OTHER_USE = anyOf(
  new RegExp(
    String.raw`\b(?:shorten|translate|summari[sz]e|update|convert|restyle|redesign|open|read|fix|check|change|make|proofread|review|expand|extend|lengthen|split|merge|turn|take|continue|finish|improve|rename|polish|edit|rework|trim|cut|compare|delete|copy|does|put|bring|give|reformat|redo|migrate|dress|adapt) ${ITS}MARK`,
  ),
  new RegExp(
    String.raw`\b(?:übersetze?|kürze?|fasse?|öffne|überarbeite?|aktualisiere?|ergänze?|verlängere?|raccourci\w*|tradui\w*|résume\w*|corrige\w*|complète\w*|acort\w*|traduc\w*|resum\w*|corrig\w*|actuali[cz]\w*|abre|ترجم|لخص|اختصر|قصّ?ر|افتح|حدّ?ث|عدّ?ل|翻译|缩短|总结|修改|打开|精简|把|将) ?${ITS}MARK`,
  ),
  new RegExp(
    String.raw`\b(?:add|append|insert|ajoute\w*|añad\w*|agrega\w*|füge?|أضف)\b.{0,60}\b(?:to|into|in|at the end of|à|dans|a|إلى) ${ITS}MARK`,
  ),
  new RegExp(
    String.raw`\b(?:save|store|name|call|export|write|speicher\w*|nenne|enregistre\w*|appelle|guárda\w*|guarda\w*|llám\w*)\b.{0,40}\b(?:as|to|it|under|als|unter|sous|como|en) ${ITS}MARK`,
  ),
  new RegExp(
    String.raw`\b(?:slides?|pages?|folien?|diapos?\w*|seite) (?:\d+ )?(?:of|in|from|von|aus|de|du) ${ITS}MARK|(?:保存为|存为|命名为|叫) ?MARK`,
  ),
  /MARK ?(?:を|は|の(?:内容|[0-9]+|第|スライド|最後|要約|翻訳)|里|里面|的(?:内容|第)|最后|翻译|缩短|に(?:追加|スライド)|という名前|として保存)/,
  new RegExp(
    String.raw`\b(?:not|no longer|instead of|rather than|nicht|statt|anstatt|pas|plutôt que|no|en lugar de) (?:like |wie |comme |como )?${ITS}(?:old )?MARK`,
  ),
);

/** Whether a request says how slides are to look. */
export function speaksOfLooks(request: string): boolean {
  return sentencesOf(request).some((sentence) => LOOKS.test(sentence));
}

/** The presentation whose look a request asks for, of these names; null for none. */
export function templateIn(request: string, names: readonly string[]): string | null {
  return names.find((name) => isTemplate(name, request)) ?? null;
}

function isTemplate(name: string, request: string): boolean {
  const at = request.toLowerCase().indexOf(name.toLowerCase());
  // A name may be the end of another.
  if (at < 0 || /[\w.-]/.test(request[at - 1] ?? '')) return false;
  const marked = `${request.slice(0, at).replace(/(?<![\w~./-])[\w~./-]{1,200}\/$/, '')}MARK${request.slice(at + name.length)}`;
  const sentences = sentencesOf(marked);
  const sentence = sentences.find((one) => one.includes('MARK')) ?? '';
  if (OTHER_USE.test(sentence)) return false;
  return /\.potx$/i.test(name) || LOOKS.test(sentence);
}
