import { CircleCheck, Undo2 } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { SkillCheck, SkillDetail, SkillFinding, SkillVersion } from '#contract/skills.ts';
import { useAnnounce } from '../../components/announcer.tsx';
import { IconButton } from '../../components/button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { formatTime } from '../../format.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
import { RunForm } from './run-form.tsx';
import { Finding } from './skill-findings.tsx';
import { SkillTrial } from './skill-trial.tsx';
import { useSkillRequest } from './use-skill-request.ts';

interface SideProps {
  readonly skill: SkillDetail | null;
  readonly check: SkillCheck | null;
  readonly checking: boolean;
  readonly isChanged: boolean;
  readonly onGoTo: (line: number) => void;
  readonly onRestore: (version: SkillVersion) => void;
}

const TABS = ['check', 'run', 'versions'] as const;

/** Beside the source: its findings, its run form and its versions. */
export function EditorSide(props: SideProps): ReactNode {
  const { skill, isChanged, onGoTo, onRestore } = props;
  const [tab, setTab] = useState<string>('check');
  return (
    <aside className="skill-editor-side" aria-label={words.side}>
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List className="skill-tabs" aria-label={words.side}>
          {TABS.map((one) => (
            <Tabs.Trigger key={one} value={one} className="skill-tab">
              {words.tabs[one]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="check" className="skill-tab-body">
          <Check {...props} />
        </Tabs.Content>
        <Tabs.Content value="run" className="skill-tab-body">
          {skill === null || skill.summary.state !== 'ready' ? (
            <p className="muted">{words.saveFirst}</p>
          ) : (
            <>
              {isChanged && <p className="muted">{words.unsavedRun}</p>}
              <RunForm skill={skill} isHere />
              <SkillTrial skillId={skill.summary.id} onGoTo={onGoTo} />
            </>
          )}
        </Tabs.Content>
        <Tabs.Content value="versions" className="skill-tab-body">
          {skill === null ? (
            <p className="muted">{words.noVersions}</p>
          ) : (
            <Versions skillId={skill.summary.id} onRestore={onRestore} />
          )}
        </Tabs.Content>
      </Tabs.Root>
    </aside>
  );
}

function Check({ check, checking, onGoTo }: SideProps): ReactNode {
  const findings = check?.findings ?? [];
  return (
    <>
      <p className="skill-check-line" role="status">
        {checking ? <Spinner /> : null}
        {!checking && check !== null && findings.length === 0 && (
          <CircleCheck aria-hidden="true" size={14} />
        )}
        {checking || check === null ? words.checking : summaryOf(findings)}
      </p>
      <ul className="skill-findings">
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be broken twice in one place
          <Finding key={index} finding={finding}>
            <GoTo line={finding.line} onGoTo={onGoTo} />
          </Finding>
        ))}
      </ul>
    </>
  );
}

function summaryOf(findings: readonly SkillFinding[]): string {
  if (findings.length === 0) return words.clean;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return words.findings(errors, warnings);
}

function GoTo({
  line,
  onGoTo,
}: {
  readonly line: number | null;
  readonly onGoTo: (line: number) => void;
}): ReactNode {
  if (line === null) return null;
  return (
    <button type="button" className="link" onClick={() => onGoTo(line)}>
      {words.goTo(line)}
    </button>
  );
}

function Versions({
  skillId,
  onRestore,
}: {
  readonly skillId: string;
  readonly onRestore: (version: SkillVersion) => void;
}): ReactNode {
  const announce = useAnnounce();
  const { state } = useSkillRequest('skills.versions', { skillId });
  if (state.phase === 'failed') return <p role="alert">{state.problem}</p>;
  if (state.phase !== 'ready') return <Skeleton label={words.versions} lines={3} />;
  const { versions } = state.value;
  if (versions.length === 0) return <p className="muted">{words.noVersions}</p>;
  const now = Date.now();
  return (
    <ul className="skill-versions" aria-label={words.versions}>
      {versions.map((version) => (
        <li key={version.version}>
          <span>
            <strong>{words.version(version.version)}</strong>{' '}
            <span className="muted">
              {formatTime(version.createdAt, now)},{' '}
              {version.approvedAt === null
                ? words.notApproved
                : words.approved(formatTime(version.approvedAt, now))}
            </span>
          </span>
          <span className="spacer" />
          <IconButton
            label={words.restore(version.version)}
            size="small"
            onClick={() => {
              onRestore(version);
              announce(words.restored(version.version));
            }}
          >
            <Undo2 aria-hidden="true" size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
