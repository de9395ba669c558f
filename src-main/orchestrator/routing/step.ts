/** An action that a request asks for. */
export interface Step {
  /** In the user's words. */
  readonly what: string;
  /** 1 for separate work, less for what accompanies other work. */
  readonly weight: number;
  /** The request says that it comes first, next, or last. */
  readonly inTurn: boolean;
  /** An additional thing for the step before it: "…, and a checklist". */
  readonly isThing?: boolean;
}
