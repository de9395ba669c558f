import { useVirtualizer } from '@tanstack/react-virtual';
import { Puzzle, Search } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { SkillCategory, SkillSource, SkillSummary } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/use-now.ts';
import { useApp, useSession } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { filterSkills, NO_SKILL_FILTER } from '../../store/skill-list.ts';
import { skillStrings as words } from '../../strings/skills.ts';
import { SkillRow } from './skill-row.tsx';

/** Height of a row before it was measured. */
const ROW_GUESS = 92;
/** "Last run" is shown by the day. */
const DAY_CHECK_MS = 60_000;

/** All skills, with filters. Only the visible rows and a few beyond are rendered. */
export function SkillList(): ReactNode {
  const { skills } = useSession();
  const loadable = useApp((state) => state.skills);
  const filter = useApp((state) => state.skillFilter);
  useEffect(() => void skills.load(), [skills]);
  const all = loadedValue(loadable);
  const shown = useMemo(() => (all === null ? [] : filterSkills(all, filter)), [all, filter]);
  if (all === null) {
    return loadable.phase === 'failed' ? (
      <LoadFailed
        title={words.failed}
        problem={loadable.problem}
        onRetry={() => void skills.load()}
      />
    ) : (
      <div className="skills-column pad-top">
        <Skeleton label={words.loading} lines={8} />
      </div>
    );
  }
  return (
    <>
      <Filters shown={shown.length} all={all.length} />
      {shown.length > 0 ? (
        <Rows skills={shown} />
      ) : (
        <EmptyState icon={Puzzle} text={all.length === 0 ? words.none : words.nothingFits}>
          {all.length > 0 && (
            <Button size="small" onClick={() => skills.filter(NO_SKILL_FILTER)}>
              {words.clearFilter}
            </Button>
          )}
        </EmptyState>
      )}
    </>
  );
}

/** Stands for "any" in a select, whose values cannot be null. */
const ANY = '';
const CATEGORIES = Object.keys(words.categories) as readonly SkillCategory[];
const SOURCES = Object.keys(words.sources) as readonly SkillSource[];

function Filters({ shown, all }: { readonly shown: number; readonly all: number }): ReactNode {
  const { skills } = useSession();
  const { search, category, source } = useApp((state) => state.skillFilter);
  return (
    <search className="skills-column skill-filters">
      <div className="search-box skill-search">
        <Search aria-hidden="true" size={14} />
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          maxLength={200}
          onChange={(event) => skills.filter({ search: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') skills.filter({ search: '' });
          }}
        />
      </div>
      <select
        className="text-input"
        aria-label={words.category}
        value={category ?? ANY}
        onChange={(event) => {
          const chosen = CATEGORIES.find((one) => one === event.target.value) ?? null;
          skills.filter({ category: chosen });
        }}
      >
        <option value={ANY}>{words.anyCategory}</option>
        {CATEGORIES.map((one) => (
          <option key={one} value={one}>
            {words.categories[one]}
          </option>
        ))}
      </select>
      <select
        className="text-input"
        aria-label={words.source}
        value={source ?? ANY}
        onChange={(event) => {
          const chosen = SOURCES.find((one) => one === event.target.value) ?? null;
          skills.filter({ source: chosen });
        }}
      >
        <option value={ANY}>{words.anySource}</option>
        {SOURCES.map((one) => (
          <option key={one} value={one}>
            {words.sources[one]}
          </option>
        ))}
      </select>
      <p className="muted skill-count" role="status">
        {words.shown(shown, all)}
      </p>
    </search>
  );
}

function Rows({ skills }: { readonly skills: readonly SkillSummary[] }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(true, DAY_CHECK_MS);
  const virtualizer = useVirtualizer({
    count: skills.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: (index) => skills[index]?.id ?? index,
    overscan: 8,
    useFlushSync: false,
  });
  return (
    <div className="skill-scroller" ref={scroller}>
      <ul
        className="skills-column skill-rows"
        aria-label={words.title}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const skill = skills[index];
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={skills.length}
              style={{ transform: `translateY(${start}px)` }}
            >
              {skill !== undefined && <SkillRow skill={skill} now={now} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
