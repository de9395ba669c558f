import type { RunEvent } from '#contract/events/run-event.ts';
import type { RequestOutput } from '#contract/requests.ts';
import type { TaskHit } from '#contract/task-search.ts';
import { excerptOf, matchesIn, taskQuery } from '#main/task-search/task-query.ts';
import type { FakeState } from './fake-bridge.ts';

type Place = Omit<TaskHit, 'excerpt' | 'marks'>;

/** The search over all tasks, without an index: every text is read. */
export function fakeTaskSearch(
  state: FakeState,
  typed: string,
  log: (runId: string) => readonly RunEvent[],
): RequestOutput<'threads.search'> {
  const words = taskQuery(typed)?.words ?? [];
  const has = (text: string): boolean =>
    words.length > 0 && words.every((word) => matchesIn(text, [word]).length > 0);
  const hit = (text: string, place: Place): TaskHit[] => {
    if (!has(text)) return [];
    const { text: excerpt, marks } = excerptOf(text, words);
    return [{ ...place, excerpt, marks: marks.map(([start, end]) => [start, end]) }];
  };
  const results = state.threads.flatMap((thread) => {
    const runs = state.runs.filter(({ threadId }) => threadId === thread.id);
    const hits = runs.flatMap(({ id: runId, prompt, createdAt: at }) => {
      const answers = new Map<string, { place: Place; text: string }>();
      const calls: TaskHit[] = [];
      for (const event of log(runId)) {
        const { seq } = event;
        if (event.type === 'token') {
          const { messageId: ref } = event;
          const known = answers.get(ref);
          if (known !== undefined) known.text += event.text;
          else {
            const place = { runId, seq, kind: 'answer', ref, at: event.at } as const;
            answers.set(ref, { place, text: event.text });
          }
        } else if (event.type === 'tool_result') {
          const place = { runId, seq, kind: 'call', ref: event.toolCallId, at: event.at } as const;
          calls.push(...hit(event.content, place));
        }
      }
      return [
        ...hit(prompt, { runId, seq: 0, kind: 'message', ref: '', at }),
        ...[...answers.values()].flatMap(({ place, text }) => hit(text, place)),
        ...calls,
      ];
    });
    const titleMarks = matchesIn(thread.title, words);
    if (hits.length === 0 && !has(thread.title)) return [];
    return [{ thread, titleMarks, hits: hits.slice(0, 3) }];
  });
  return { results, notIndexed: 0 };
}
