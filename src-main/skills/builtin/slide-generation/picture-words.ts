import { anyOf, sentencesOf } from './wish-words.ts';

const NOUN =
  '(?:pictures?|images?|imagery|photos?|photographs?|illustrations?|drawings?|sketch(?:es)?|artwork|cartoons?|paintings?|clip ?art|visuals)';
/** What is about pictures, and does not ask for any. */
const ABOUT = new RegExp(
  String.raw`\b(?:about|on|of|for|from|in|into|describ\w+|analys\w+|summar\w+|explain\w+|compar\w+|history of|using) (?:the |my |our |these |those |some |all |ai )*(?:\w+ )?${NOUN}`,
  'giu',
);
/** Compounds of which a picture is only a part. */
const COMPOUND = new RegExp(
  String.raw`\b${NOUN} (?:compress\w+|process\w+|recogni\w+|classif\w+|segment\w+|edit\w+|licen\w+|rights|album|archive|lab|sharing|generat\w+|search|sensors?|quality|formats?|models?|studio|agency|editors?|credits?|class(?:es)?|course|contest|competition)`,
  'giu',
);
const WANTED = anyOf(
  new RegExp(String.raw`\billustrated\b|\b${NOUN} throughout\b`),
  new RegExp(
    String.raw`\b(?:with|includ\w*|plus|add|adding|needs?|wants?|like|love|have|has|give\w*|get|put|stick|some|few|matching|fitting|there be|could use|throw in)\s+(?:(?!on\b|about\b|of\b|for\b|from\b|slides?\b|no\b|any\b)[\p{L}\p{N}'-]+\s+){0,4}${NOUN}\b`,
  ),
  new RegExp(
    String.raw`\b(?:each|every|all|the (?:cover|title)) .{0,60}\b(?:a|an|its own|one|with|own|wants a) (?:[\p{L}-]+ ){0,3}${NOUN}\b`,
  ),
  new RegExp(
    String.raw`\b${NOUN} (?:[\p{L}-]+ ){0,4}(?:on|for|per|to) (?:each|every|all|the (?:cover|title)|slide|page)\b`,
  ),
  new RegExp(
    String.raw`\b(?:draw|paint|sketch|illustrate|generate|create) (?:me |us |some |a |an |the |it |each |every |all |cheerful |nice |little |of )*(?:[\p{L}-]+ )?(?:${NOUN}|slides?|pages?|chapter|section)\b`,
  ),
  /\bbebilder|\billustriert?\b|\b(?:mit|plus|gern\w*|bitte|paar|einige|jede\w*|pro folie|füge?|brauche?|möchte|hätte)\b.{0,40}\b(?:bild|bilder|bildern|foto|fotos|illustration|illustrationen|zeichnung|zeichnungen|grafiken|skizzen)\b/,
  /\b(?:avec|plus|ajoute\w*|mets|mettez|veux|voudrais|aimerais|il faut|faudrait|chaque)\b.{0,40}\b(?:images?|photos?|illustrations?|dessins?)\b|\billustr(?:é|e|ez|ée|és)\b/,
  /\b(?:con|más|agrega\w*|añad\w*|pon|ponga\w*|quiero|quisiera|necesito|incluy\w*|cada)\b.{0,40}\b(?:im[aá]gen(?:es)?|fotos?|ilustracion(?:es)?|ilustración|dibujos?)\b|\bilustrad[ao]s?\b/,
  /(?:配上?|带有?|加上?|加|附上?|要有?|需要|有|插入?|放)(?:一些|几张|几幅|一张|点|些|上)?(?:好看的|精美的|可爱的|合适的|相关的)?(?:图片|插图|配图|插画|圖片|照片|图)|图文并茂|配图(?!片处理)/,
  /(?:絵|画像|写真|イラスト|挿絵|図)(?:を|も|が|は)?.{0,8}(?:入れ|付け|つけ|添え|使っ|描い|ほしい|欲しい|お願い|たくさん|載せ)|(?:絵|画像|写真|イラスト|挿絵)(?:付き|つき|入り|多め)/,
  /(?:مع|أضف|تضيف|ضع|أريد|بها|فيها|وفيه|لكل|وأضف)\s.{0,30}(?:صور|صورة|رسوم|رسومات|رسمة)/,
);
const UNWANTED = anyOf(
  new RegExp(
    String.raw`\b(?:no|zero|without|skip|sans|minus|not? (?:need|want|use|add|have)|don't .{0,20}|do not .{0,20}|leave out|omit|avoid|drop|can't stand|hate|free of|not) (?:(?:any|the|all|of|a|an|single|stock|more|fancy|silly)\s+)*${NOUN}\b`,
  ),
  new RegExp(String.raw`\b${NOUN}[- ]free\b|\btext[- ]only\b|\bjust (?:words|text)\b`),
  new RegExp(
    String.raw`\b(?:take|remove|strip|delete)\b.{0,20}\b${NOUN}\b|\b${NOUN}\b.{0,20}\b(?:not needed|unnecessary|aren't needed)\b`,
  ),
  /\b(?:ohne|keine?|bitte keine|nicht .{0,15})\s+(?:irgendwelche |jegliche |weitere )?(?:bilder|bild|fotos|illustrationen|zeichnungen|grafiken)\b|\bbildfrei\b/,
  /\b(?:pas d'|pas de |sans |aucune? |sans aucune? |ni )(?:autres? )?(?:images?|photos?|illustrations?|dessins?)\b/,
  /\b(?:sin|nada de|ningun[ao]?|no .{0,20})\s*(?:ningun[ao]? )?(?:im[aá]gen(?:es)?|fotos?|ilustracion(?:es)?|dibujos?)\b/,
  /(?:不要|别|不用|没有|无需?|不需要|不带|不加|不放|去掉|不必)(?:有|加|配|放|用|插入|任何|带)*(?:图片|插图|配图|插画|照片|图)|纯文字/,
  /(?:絵|画像|写真|イラスト|挿絵|図)(?:は|を|も|や.{1,4}は)?(?:なし|無し|不要|いら|要りま|要らな|入れない|使わない|入れず|使わず|つけない|付けない)|文字だけ/,
  /(?:بدون|بلا|دون|من غير|لا أريد|لا تضع|لا تضف)\s(?:أي\s)?(?:صور|رسوم|صورة)/,
);

/** Whether a request asks for pictures or wants none, as the parameter `pictures` says it; null where it says neither. */
export function wishForPictures(request: string): 'draw' | 'none' | null {
  const sentences = sentencesOf(request).map((sentence) =>
    sentence.replace(COMPOUND, ' ').replace(ABOUT, ' '),
  );
  if (sentences.some((sentence) => WANTED.test(sentence.replace(UNWANTED, ' ')))) return 'draw';
  return sentences.some((sentence) => UNWANTED.test(sentence)) ? 'none' : null;
}
