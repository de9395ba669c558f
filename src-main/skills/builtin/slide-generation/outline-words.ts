import { anyOf, sentencesOf } from './wish-words.ts';

/** What users call an outline. */
const OUTLINE = anyOf(
  /\b(?:outl\w{2,4}|structure|story ?line|skeleton|headings|table of contents|what goes where)\b/,
  /\b(?:list|titles|headlines|order) of (?:the |your )?slides\b|\b(?:slide|planned) (?:list|titles|plan|order)\b/,
  /\b(?:the|your|a|draft) (?:plan|proposal)\b|\b(?:what|which) slides\b/,
  /gliederung|struktur|\b(?:foliena|a)ufbau\b|folienliste|\bkonzept\b|\bwelche folien\b|\binhaltsverzeichnis\b/,
  /\b(?:la|le|une?|du|votre|ton) (?:plan|structure|trame|sommaire|déroulé)\b|quelles diapo/,
  /\b(?:esquema|estructura|índice|indice|gui[oó]n|esbozo)\b|\bqu?[eé]? diapos\b/,
  /大纲|提纲|目录|框架|结构|アウトライン|構成|骨子|目次|流れ|خطة|الخطة|مخطط|المخطط|هيكل|الخطوط العريضة|ترتيب/,
);
/** That the user looks at it, or agrees to it. */
const LOOKS = anyOf(
  /\b(?:show|tell|see|seeing|review|check|approv\w+|confirm|look|ok|okay|sign|discuss|agree|send|sharing|share|give|propose|run|read|tweak|edit|adjust|blessing|go[- ]ahead|green light)\b/,
  /zeig|prüf|abnick|freigeb|freigabe|abstimm|anschau|ansehen|absegne|schick|vorschlag|sehen|drüberschau/,
  /\b(?:montr\w+|voir|valid\w+|vérif\w+|relire|envo\w+|propos\w+|approuv\w+|accord|corrig\w+)\b/,
  /\b(?:ens[eé][ñn]a\w*|mu[eé]stra\w*|mostr\w+|ver|vea|revis\w+|aprob\w+|aprueb\w+|m[aá]nda\w*|p[aá]sa\w*|prop[oó]n\w*|dime|visto bueno)\b/,
  /给我|看看|看一下|看过|确认|审|过目|列出|发我|发给|同意|見せ|確認|提案|教えて|出して|見て|أرني|ورّ?ين|راجع|أوافق|موافق|أعدّ?ل|عرض|أعرض|أرسل|أشوف|أرى|أطلع/,
);
/** That it comes before the slides. */
const BEFORE = anyOf(
  /\b(?:first|before|prior|beforehand|up ?front|until|only then|hold off|wait|pause)\b/,
  /\b(?:zuerst|erst|vorher|vorab|bevor|zunächst|dann erst)\b|d'abord|\bavant\b|\bantes\b|\bprimero\b/,
  /先|之前|再(?:做|写|生成|制作|开始|动手)|まず|先に|前に|(?:して|た|て)から|أول|قبل/,
);
/** Short for all of it. */
const SHORT = anyOf(
  /\boutline first\b|\bfirst (?:the|an|your) outline\b|\bstructure first\b|^\W*erst (?:die |eine )?gliederung|^\W*先(?:出|列|给|写)?(?:大纲|提纲)/,
);
/** A sentence with this wants none of it, or speaks of another outline. */
const NOT = anyOf(
  /\b(?:no need|no reason|no point|skip|needn'?t|not necessary|without (?:show|ask|an|any|the|first)\w*|straight (?:away|to)|right away)\b/,
  /\b(?:don'?t|do not|never|not) (?:need|have|want|bother|show|ask|send|wait|stop)\b|\boutline of (?:my|our|the|his|her)\b/,
  /\b(?:ohne|nicht nötig|nicht erst|brauch\w* (?:nicht|keine)|keine)\b|\b(?:sans|pas besoin|inutile)\b|\b(?:sin|no hace falta|no necesito)\b/,
  /不用|不必|无需|不需要|不要|别|なしで|不要|いらない|いりません|省略|بدون|لا داعي|لا حاجة|من غير/,
);

/** Whether a request asks to see the outline before the slides are written. */
export function wishForOutline(request: string): boolean {
  return sentencesOf(request).some((sentence) => {
    if (NOT.test(sentence)) return false;
    if (SHORT.test(sentence)) return true;
    return OUTLINE.test(sentence) && LOOKS.test(sentence) && BEFORE.test(sentence);
  });
}
