import { branchStep, RUN_STEP } from '../base/step-path.ts';
import { normaliseUrl } from '../research-text/sketch.ts';
import type { RunScope } from '../run-scope.ts';
import type { RunJournal } from '../storage/types.ts';
import type { FoundSource, RunSources } from '../tools/types.ts';
import { firstSourceNumber, NUMBERS_OF_A_BRANCH } from './research/source-numbers.ts';

/** Further ones have no number: an answer cites with three digits. */
const MOST_SOURCES = 500;
const TITLE_CHARS = 300;
const SNIPPET_CHARS = 400;
/** A longer address is nothing that a user could follow. */
const URL_CHARS = 4_000;

/** A source in the order of the numbers. */
interface KnownSource {
  /** Without what does not belong to the page, such as its fragment. */
  readonly key: string;
  readonly title: string;
}

/**
 * Numbers what the executor's own calls find and read: each address once in a run, and the same again after a crash.
 * Numbers that the logs of the task have, of earlier runs, research and skills, are not used again: the model still
 * reads their results.
 */
export function runSources(
  journal: RunJournal,
  { runId, threadId, commit }: Pick<RunScope, 'runId' | 'threadId' | 'commit'>,
): RunSources {
  const known = (): readonly KnownSource[] =>
    (journal.newest(runId, RUN_STEP, 'found')?.payload as readonly KnownSource[] | undefined) ?? [];
  const numberAt = (place: number): number => {
    const block = Math.floor(place / NUMBERS_OF_A_BRANCH);
    const branch = branchStep(RUN_STEP, 'found', String(block + 1));
    const above = (): number => journal.lastSourceNumber(threadId);
    const first = firstSourceNumber(journal, { runId, branch, commit, above });
    return first + (place % NUMBERS_OF_A_BRANCH);
  };
  return {
    add: (found, toolCallId) => {
      const before = known();
      const all = [...before];
      const numbered = found.map((source) => {
        const place = placeIn(all, source);
        return { source, place, title: all[place]?.title ?? '' };
      });
      if (all.length > before.length) {
        commit(() => journal.put(runId, { step: RUN_STEP, kind: 'found', payload: all }));
      }
      const numbers = numbered.map(({ place }) => (place < 0 ? null : numberAt(place)));
      return {
        numbers,
        events: numbered.flatMap(({ source, title }, i) => {
          const index = numbers[i] ?? null;
          if (index === null) return [];
          const { url, snippet, foundBy, isRead } = source;
          return {
            ...{ type: 'source' as const, index, url, title, toolCallId },
            ...(snippet === undefined ? {} : { snippet: clip(snippet, SNIPPET_CHARS) }),
            ...(foundBy === undefined ? {} : { foundBy }),
            ...(isRead === true ? { isRead } : {}),
          };
        }),
      };
    },
  };
}

/** The place of a source, which is added if it is new; -1 if it has none. */
function placeIn(all: KnownSource[], { url, title }: FoundSource): number {
  const key = normaliseUrl(url);
  const place = all.findIndex((one) => one.key === key);
  if (place >= 0 || all.length >= MOST_SOURCES || url.length > URL_CHARS) return place;
  return all.push({ key, title: clip(title, TITLE_CHARS) }) - 1;
}

/** Cut, but not within a character. */
function clip(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}
