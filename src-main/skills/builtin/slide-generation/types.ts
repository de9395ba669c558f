import type { SlideFindingCode, SlideLayout, SlideTheme } from '#contract/slides.ts';
import type { JsonObject } from '../../types.ts';

/** What is asked for. */
export interface SlideTask {
  /** With the changes that the user made to the outline. */
  readonly request: string;
  /** Null: as many as fit. */
  readonly slideCount: number | null;
  /** Null: chosen by the model. */
  readonly theme: SlideTheme | null;
  /** The path of a presentation whose look it gets; null for none. */
  readonly template: string | null;
  /** Empty for that of the request. */
  readonly language: string;
  readonly audience: string;
  /** Whether pictures are drawn for some slides. */
  readonly draws: boolean;
}

/** A text that the slides may use: a page of the web, or a file of the workspace. */
export interface MaterialDocument {
  /** From 1: the number by which a model names it. */
  readonly number: number;
  readonly kind: 'page' | 'text' | 'data';
  /** An address, or a path in the workspace. */
  readonly source: string;
  readonly title: string;
  readonly text: string;
}

export interface Material {
  readonly documents: readonly MaterialDocument[];
  /** Paths of pictures that slides may show. */
  readonly pictures: readonly string[];
}

export interface OutlinedSlide {
  readonly layout: SlideLayout;
  readonly title: string;
  readonly points: readonly string[];
}

export interface Outline {
  readonly title: string;
  readonly theme: SlideTheme;
  readonly slides: readonly OutlinedSlide[];
}

/** A slide as `generate_slides` takes it: its layout, and the slots of that layout. */
export interface GivenSlide extends JsonObject {
  readonly layout: SlideLayout;
  readonly title: string;
  readonly notes?: string;
  readonly sources?: readonly string[];
}

/** A picture that is to be drawn for a slide. */
export interface Drawing {
  /** For an image model. */
  readonly prompt: string;
  /** What it shows, for people who do not see it. */
  readonly alt: string;
}

/** A slide as the model wrote it. One that is to get a picture has none yet. */
export interface WrittenSlide {
  readonly slide: GivenSlide;
  readonly drawing: Drawing | null;
}

export interface Finding {
  /** From 0. */
  readonly slide: number;
  readonly code: SlideFindingCode | (string & {});
  readonly text: string;
}

/** A presentation as it was written and checked. */
export interface MadeDeck {
  /** Without the marks of figures. */
  readonly slides: readonly GivenSlide[];
  readonly file: string;
  readonly downloadUrl: string;
  readonly slideCount: number;
  readonly pageCount: number;
  readonly findings: readonly Finding[];
}
