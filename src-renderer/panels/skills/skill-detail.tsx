import { Download, Eye, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SkillDetail } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { listOf } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import { whereFrom } from '../../store/skill-list.ts';
import { skillStrings } from '../../strings/skills.ts';
import { RunForm } from './run-form.tsx';
import { SkillExecutions } from './skill-executions.tsx';
import { SkillFindings } from './skill-findings.tsx';
import { SkillInterface } from './skill-interface.tsx';
import { MarkdownParts } from './skill-markdown.tsx';
import { SkillSwitch, usageOf } from './skill-row.tsx';
import { RiskTag, StateLabel } from './skill-tags.tsx';
import { useSkillRequest } from './use-skill-request.ts';

const words = skillStrings.detail;

/** Everything about one skill, and the form that runs it. */
export function SkillDetailPage({ skillId }: { readonly skillId: string }): ReactNode {
  const { state, again } = useSkillRequest('skills.get', { skillId });
  if (state.phase === 'failed') {
    return <LoadFailed title={words.failed} problem={state.problem} onRetry={again} />;
  }
  if (state.phase !== 'ready') {
    return (
      <div className="skills-column pad-top">
        <Skeleton label={words.loading} lines={8} />
      </div>
    );
  }
  return <Detail skill={state.value.skill} />;
}

function Detail({ skill }: { readonly skill: SkillDetail }): ReactNode {
  const { summary, markdown, findings } = skill;
  const { state, problem } = summary;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="skill-scroller" tabIndex={0}>
      <div className="skills-column skill-detail">
        <header className="skill-detail-header">
          <div className="row">
            <h1>
              <VisibleText text={summary.name} />
            </h1>
            <span className="spacer" />
            <SkillSwitch skill={summary} />
          </div>
          <p>
            <VisibleText text={summary.description} />
          </p>
          <p className="skill-row-facts">
            <StateLabel state={state} />
            <RiskTag risk={summary.risk} />
            {summary.category !== null && <span>{skillStrings.categories[summary.category]}</span>}
            <span>{skillStrings.sources[whereFrom(summary)]}</span>
            <span>{usageOf(summary, Date.now())}</span>
          </p>
          {/* A skill that needs a review says so below, with a button. */}
          {problem !== null && state !== 'needs_review' && (
            <p className="banner" data-tone="danger" role="status">
              <VisibleText text={problem} />
            </p>
          )}
          <Actions skill={skill} />
        </header>
        {state === 'ready' && <RunForm skill={skill} />}
        <SkillInterface skill={skill} />
        <SkillFindings findings={findings} none={null} />
        {markdown !== null && <MarkdownParts parts={markdown} />}
        <SkillExecutions skillId={summary.id} schema={skill.metadata?.outputSchema ?? null} />
        <Facts skill={skill} />
      </div>
    </div>
  );
}

function Actions({ skill }: { readonly skill: SkillDetail }): ReactNode {
  const { skills } = useSession();
  const [removing, setRemoving] = useState(false);
  const { id: skillId, state, source } = skill.summary;
  const isOwn = source === 'dynamic';
  // The focus moves to the question, and back to the button that opened it.
  const safe = useRef<HTMLButtonElement>(null);
  const asks = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (removing) safe.current?.focus();
    else if (wasAsked.current) asks.current?.focus();
    wasAsked.current = removing;
  }, [removing]);
  if (removing) {
    return (
      <div
        className="row"
        role="alertdialog"
        aria-label={words.removeSure}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setRemoving(false);
        }}
      >
        <span>{words.removeSure}</span>
        <Button size="small" variant="danger" onClick={() => void skills.remove(skillId)}>
          {words.remove}
        </Button>
        <Button ref={safe} size="small" variant="ghost" onClick={() => setRemoving(false)}>
          {words.keep}
        </Button>
      </div>
    );
  }
  return (
    <>
      {state === 'needs_review' && (
        <div className="banner" data-tone="warning">
          <Eye aria-hidden="true" size={14} />
          <span>{words.needsReview}</span>
          <span className="spacer" />
          <Button
            size="small"
            variant="primary"
            onClick={() => skills.show({ view: 'review', skillId })}
          >
            {words.review}
          </Button>
        </div>
      )}
      {isOwn && (
        <div className="row">
          <Button size="small" onClick={() => skills.show({ view: 'editor', skillId })}>
            <Pencil aria-hidden="true" size={14} />
            {words.edit}
          </Button>
          <Button size="small" variant="ghost" onClick={() => void skills.save(skillId)}>
            <Download aria-hidden="true" size={14} />
            {words.export}
          </Button>
          <Button ref={asks} size="small" variant="ghost" onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden="true" size={14} />
            {words.remove}
          </Button>
        </div>
      )}
    </>
  );
}

function Facts({ skill: { summary, metadata } }: { readonly skill: SkillDetail }): ReactNode {
  const { id, version, author, folder, tags } = summary;
  const limits =
    metadata === null
      ? null
      : words.limit(metadata.maxExecutionTimeSeconds, metadata.maxIterations);
  const facts: readonly (readonly [string, string | null])[] = [
    [words.id, id],
    [words.version, version],
    [words.author, author],
    [words.folder, folder],
    [words.tags, tags.length === 0 ? null : listOf(tags)],
    [words.limits, limits],
  ];
  return (
    <section className="skill-section">
      <h2>{words.facts}</h2>
      <dl className="skill-facts">
        {facts.map(([label, value]) =>
          value === null || value === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <VisibleText text={value} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
