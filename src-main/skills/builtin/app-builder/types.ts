import type { PageStepDraft } from './tests.ts';

/** Contents of files by their path in the workspace. */
export type Sources = Readonly<Record<string, string>>;

/** Files after something was written to them. */
export interface ChangedSources {
  readonly sources: Sources;
  /** Those among them that the user changed meanwhile, as they made them: they are never taken back. */
  readonly byUser: Sources;
}

/** The app that is built or changed. */
export interface BuiltApp {
  readonly folder: string;
  /** Null for a project that came from elsewhere. */
  readonly template: string | null;
}

export interface PlannedFile {
  /** In the workspace. */
  readonly path: string;
  readonly purpose: string;
}

export interface AppPlan {
  readonly name: string;
  readonly files: readonly PlannedFile[];
  /** What a user can do and see when the app works. */
  readonly points: readonly string[];
}

/** A point with the test that shows it. */
export interface TestedPoint {
  readonly point: string;
  readonly steps: readonly PageStepDraft[];
  readonly shown: boolean;
  /** The steps that showed it, or why nothing did. */
  readonly evidence: string;
}

/** What a check of the app said. */
export interface CheckedApp {
  readonly problems: readonly {
    readonly kind: string;
    readonly message: string;
    readonly place: { readonly file: string; readonly line: number } | null;
  }[];
  /** The report as the tool words it, with lines of the source. */
  readonly report: string;
  /** What the page shows when it opens. */
  readonly text: string;
}

/** A state of the app's files, and how good it is. */
export interface AppState {
  readonly sources: Sources;
  readonly checked: CheckedApp;
  readonly points: readonly TestedPoint[];
}
