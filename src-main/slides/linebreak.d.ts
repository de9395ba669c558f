/** The package has no types of its own. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may end; `required` where it must. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
