import { Check, CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SkillCapability, SkillReview } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { reviewStrings as words } from '../../strings/skill-editor.ts';
import { ReviewCapabilities } from './review-capabilities.tsx';
import { ReviewFile } from './review-file.tsx';
import { SkillFindings } from './skill-findings.tsx';
import { Names } from './skill-interface.tsx';
import { useSkillRequest } from './use-skill-request.ts';

/** Everything that approving a skill trusts, in full. The approval covers the shown bytes and no others. */
export function SkillReviewPage({ skillId }: { readonly skillId: string }): ReactNode {
  const { state, again } = useSkillRequest('skills.review', { skillId });
  const review = state.phase === 'ready' ? state.value.review : null;
  const changed = useChangedMeanwhile(review);
  if (state.phase === 'failed') {
    return <LoadFailed title={words.failed} problem={state.problem} onRetry={again} />;
  }
  if (review === null) {
    return (
      <div className="skills-column pad-top">
        <Skeleton label={words.loading} lines={8} />
      </div>
    );
  }
  // The selection was made for other bytes.
  return <Review key={review.sha256} review={review} changed={changed} onConflict={again} />;
}

/** Whether the skill has changed since it was first shown. */
function useChangedMeanwhile(review: SkillReview | null): boolean {
  const first = useRef<string | null>(null);
  if (review !== null) first.current ??= review.sha256;
  return review !== null && first.current !== review.sha256;
}

function Review({
  review,
  changed,
  onConflict,
}: {
  readonly review: SkillReview;
  readonly changed: boolean;
  readonly onConflict: () => void;
}): ReactNode {
  const { skillId, name, files, findings, requiredTools, source } = review;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (changed) top.current?.scrollTo({ top: 0 });
  }, [changed]);
  return (
    <div className="skill-review">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="skill-scroller" ref={top} tabIndex={0}>
        <div className="skills-column skill-detail">
          <header className="skill-detail-header">
            <h1>
              <VisibleText text={words.title(name)} />
            </h1>
            <p className="muted">{words.intro}</p>
            {changed && (
              <p className="banner" data-tone="warning" role="alert">
                <CircleAlert aria-hidden="true" size={14} />
                {words.changedMeanwhile}
              </p>
            )}
          </header>
          <SkillFindings findings={findings} none={words.noFindings} />
          {requiredTools.length > 0 && (
            <section className="skill-section">
              <h2>{words.tools}</h2>
              <Names names={requiredTools} />
            </section>
          )}
          <section className="skill-section">
            <h2>{files.length === 0 ? words.noFiles : words.files(files.length)}</h2>
            {files.map((file) => (
              <ReviewFile key={file.path} file={file} />
            ))}
          </section>
        </div>
      </div>
      <Decision
        skillId={skillId}
        review={review}
        hasCapabilities={source === 'dynamic'}
        onConflict={onConflict}
      />
    </div>
  );
}

/** The permissions, and the approval. */
function Decision({
  skillId,
  review,
  hasCapabilities,
  onConflict,
}: {
  readonly skillId: string;
  readonly review: SkillReview;
  readonly hasCapabilities: boolean;
  readonly onConflict: () => void;
}): ReactNode {
  const session = useSession();
  const { capabilities, sha256, mayApprove } = review;
  const [granted, setGranted] = useState<readonly SkillCapability[]>(capabilities.after);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const approve = async (): Promise<void> => {
    setSending(true);
    const given = hasCapabilities ? [...granted] : [];
    const input = { skillId, sha256, capabilities: given };
    const result = await session.skills.ask('skills.approve', input);
    setSending(false);
    if (result.ok) {
      session.skills.show({ view: 'detail', skillId });
      return;
    }
    const isConflict = result.error.code === 'CONFLICT';
    setProblem(isConflict ? words.changedMeanwhile : result.error.message);
    if (isConflict) onConflict();
  };
  return (
    <footer className="skill-decision">
      {hasCapabilities && (
        <ReviewCapabilities capabilities={capabilities} granted={granted} onChange={setGranted} />
      )}
      {problem !== null && (
        <p className="banner" data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {!mayApprove && (
        <p className="banner" data-tone="danger" id="skill-blocked">
          <CircleAlert aria-hidden="true" size={14} />
          {words.blocked}
        </p>
      )}
      <div className="row">
        <Button
          variant="primary"
          disabled={!mayApprove || sending}
          aria-describedby={mayApprove ? undefined : 'skill-blocked'}
          onClick={() => void approve()}
        >
          <Check aria-hidden="true" size={14} />
          {words.approve}
        </Button>
        <Button variant="ghost" onClick={() => session.skills.show({ view: 'detail', skillId })}>
          {words.later}
        </Button>
        <span className="spacer" />
        <span className="muted skill-fingerprint" title={sha256}>
          {words.fingerprint} <code>{sha256.slice(0, 12)}</code>
        </span>
      </div>
    </footer>
  );
}
