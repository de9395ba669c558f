/** The languages of the window, by their BCP 47 tags, with the names that their speakers know them by. */
export const LANGUAGES = { en: 'English', 'zh-Hans': '简体中文' } as const;

export type Language = keyof typeof LANGUAGES;

/** The words of English, in another language: the same names, the same arguments. */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...input: infer Input) => string
    ? (...input: Input) => string
    : { readonly [Name in keyof Words]: Translation<Words[Name]> };

/** All words of one language, by the name of their export. */
export type LanguagePack = Readonly<Record<string, object>>;

interface Shown {
  readonly language: Language;
  readonly pack: LanguagePack;
}

/** Set once, before any other module of the window is loaded: words are read as modules load. */
const shown: { current: Shown } = { current: { language: 'en', pack: {} } };

/** The words of the window's language; the English ones where it has none. */
export function inLanguage<const Words extends object>(
  name: string,
  english: Words,
): Translation<Words> {
  return (shown.current.pack[name] ?? english) as Translation<Words>;
}

/** The language that the window is in. */
export function shownLanguage(): Language {
  return shown.current.language;
}

/** Called once, by the start of the window, before any module with words is imported. */
export function showLanguage(language: Language, pack: LanguagePack): void {
  shown.current = { language, pack };
}

/** The language of a choice. Whatever is not a language of the window follows the system. */
export function languageOf(choice: string | null, preferred: readonly string[]): Language {
  return choice === 'en' || choice === 'zh-Hans' ? choice : systemLanguage(preferred);
}

/** The first of the system's languages that the window has. Traditional Chinese is not simplified Chinese. */
function systemLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'en') return 'en';
    if (language === 'zh' && script === 'Hans') return 'zh-Hans';
  }
  return 'en';
}
