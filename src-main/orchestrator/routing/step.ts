/** Something that a request orders. */
export interface Step {
  /** In the person's words. */
  readonly what: string;
  /** 1 for work of its own, less for what only goes along with other work. */
  readonly weight: number;
  /** It is said to come first, next, or last. */
  readonly inTurn: boolean;
  /** A thing that is wanted besides what the order before it names: "…, and a checklist". */
  readonly isThing?: boolean;
}
