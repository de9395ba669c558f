import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { AppTemplate } from '#contract/apps.ts';
import type { ModelRule } from '../../../test/fakes/research-model.ts';
import { chromiumPath, launchChromium } from '../../../test/setup/chromium.ts';
import { BRIEFS } from '../app-briefs/all.ts';
import type { AcceptancePoint, AppBrief } from '../app-briefs/types.ts';
import type { AppTask, EvalSet, Verdict } from '../types.ts';

const SOLUTIONS = join(import.meta.dirname, '../app-briefs/solutions');
/** A control that a point needs and the page does not have is missed after this. */
const PATIENCE_MS = 15_000;

/** An app that fulfils a brief. */
export interface Solution {
  readonly template: AppTemplate;
  /** By their path in the app's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** Apps built from a brief, whose acceptance points are checked in a browser. */
export const APPS: EvalSet = {
  name: 'apps',
  missing: ({ tools }) => {
    const parts = [
      ...(tools.has('app_start_server') ? [] : ['the tools of apps']),
      ...(chromiumPath === null ? ['Chromium'] : []),
    ];
    return parts.length === 0 ? null : parts.join(', ');
  },
  tasks: () => BRIEFS.map((brief) => appTask(brief, solutionOf(brief))),
};

/** A brief as a task; a scripted model answers with the solution. */
export function appTask(brief: AppBrief, solution: Solution): AppTask {
  return {
    name: brief.name,
    prompt: brief.prompt,
    mode: 'app',
    check: ({ appUrl }) =>
      appUrl === null ? 'no app runs at the end' : missedPoints(brief.points, appUrl),
    script: builderOf(brief, solution),
  };
}

/** Reads the solution that is stored for a brief. */
export function solutionOf({ name }: AppBrief): Solution {
  return JSON.parse(readFileSync(join(SOLUTIONS, `${name}.json`), 'utf8')) as Solution;
}

/** Which points do not hold of the app at an address, each in a browser profile of its own. */
export async function missedPoints(
  points: readonly AcceptancePoint[],
  url: string,
): Promise<Verdict> {
  const browser = await launchChromium();
  try {
    const missed: string[] = [];
    for (const point of points) {
      const why = await whyNot(point, url, browser);
      if (why !== null) missed.push(`${point.says} (${why})`);
    }
    if (missed.length === 0) return null;
    return `${missed.length} of ${points.length} points do not hold: ${missed.join('; ')}`;
  } finally {
    await browser.close();
  }
}

/** Why a point does not hold of the app at an address; null where it does. */
export async function whyNot(
  { holds }: AcceptancePoint,
  url: string,
  browser: Browser,
): Promise<Verdict> {
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(url);
    await holds(page);
    return null;
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return line;
  } finally {
    await context.close();
  }
}

/** Answers as a model does that plans and writes the files of a solution. */
function builderOf({ name, points }: AppBrief, { template, files }: Solution): ModelRule {
  return ({ messages }) => {
    const [system = '', turn = ''] = ['system', 'user'].map(
      (role) => messages.findLast((message) => message.role === role)?.content,
    );
    if (system.startsWith('You plan a web app')) {
      return JSON.stringify({
        ...{ name, template, points: points.map(({ says }) => says) },
        files: Object.keys(files).map((path) => ({ path, purpose: 'A part of the app.' })),
      });
    }
    if (system.startsWith('You write one file')) {
      const path = /\nWrite (\S+)\.(?:\s[^\n]*)?$/.exec(turn)?.[1] ?? '';
      return `\`\`\`\n${files[path] ?? ''}\n\`\`\``;
    }
    if (system.startsWith('You write tests')) return JSON.stringify({ tests: [] });
    return 'The app is in the App tab.';
  };
}
