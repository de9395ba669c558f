import {
  ArrowLeft,
  FolderCog,
  FolderUp,
  PanelLeftOpen,
  Plus,
  RefreshCw,
  Upload,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { readAsSkill, readAsText } from '../../bridge/read-file.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { ImportButton } from '../../components/import-button.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { SkillsPage as Page } from '../../store/app-state.ts';
import { appStrings } from '../../strings/app.ts';
import { editorStrings } from '../../strings/skill-editor.ts';
import { skillStrings as words } from '../../strings/skills.ts';
import { SkillDetailPage } from './skill-detail.tsx';
import { SkillList } from './skill-list.tsx';
import { SkillReviewPage } from './skill-review.tsx';
import '../../styles/skills.css';
import '../../styles/skill-review.css';

const SkillEditor = lazy(() =>
  import('./skill-editor.tsx').then((module) => ({ default: module.SkillEditor })),
);

/** The skills page, in place of the conversation: the list, one skill, its review or its editor. */
export function SkillsPage({
  page,
  sidebarShown,
  onShowSidebar,
}: {
  readonly page: Page;
  readonly sidebarShown: boolean;
  readonly onShowSidebar: () => void;
}): ReactNode {
  const main = useRef<HTMLElement>(null);
  const key = JSON.stringify(page);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is read from its beginning
  useEffect(() => main.current?.focus(), [key]);
  return (
    <main className="skills-page" ref={main} tabIndex={-1}>
      <header className="chat-header">
        {!sidebarShown && (
          <IconButton label={appStrings.showSidebar} onClick={onShowSidebar}>
            <PanelLeftOpen aria-hidden="true" size={16} />
          </IconButton>
        )}
        <PageHeader page={page} />
      </header>
      <ErrorBoundary resetKey={key}>
        <PageBody page={page} />
      </ErrorBoundary>
    </main>
  );
}

function PageBody({ page }: { readonly page: Page }): ReactNode {
  switch (page.view) {
    case 'list':
      return <SkillList />;
    case 'detail':
      return <SkillDetailPage key={page.skillId} skillId={page.skillId} />;
    case 'review':
      return <SkillReviewPage key={page.skillId} skillId={page.skillId} />;
    case 'editor':
      return (
        <Suspense
          fallback={
            <div className="skills-column pad-top">
              <Skeleton label={editorStrings.loading} lines={8} />
            </div>
          }
        >
          <SkillEditor key={page.skillId} skillId={page.skillId} />
        </Suspense>
      );
  }
}

function PageHeader({ page }: { readonly page: Page }): ReactNode {
  if (page.view === 'list') return <ListHeader />;
  if (page.view === 'detail' || page.skillId === null) return <BackButton page={null} />;
  return <BackButton page={page.skillId} />;
}

/** Back to a skill, or with null to the list. */
function BackButton({ page: skillId }: { readonly page: string | null }): ReactNode {
  const { skills } = useSession();
  return (
    <Button
      variant="ghost"
      size="small"
      onClick={() => skills.show(skillId === null ? { view: 'list' } : { view: 'detail', skillId })}
    >
      <ArrowLeft aria-hidden="true" size={15} />
      {skillId === null ? words.back : words.backToSkill}
    </Button>
  );
}

function ListHeader(): ReactNode {
  const { skills, settings } = useSession();
  const hasSettings = useApp((state) => state.settings !== null);
  return (
    <>
      <h1 className="chat-title">{words.title}</h1>
      <span className="spacer" />
      <IconButton label={words.refresh} onClick={() => void skills.refresh()}>
        <RefreshCw aria-hidden="true" size={15} />
      </IconButton>
      <IconButton
        label={words.settings}
        disabled={!hasSettings}
        onClick={() => settings.show('skills')}
      >
        <FolderCog aria-hidden="true" size={15} />
      </IconButton>
      <ImportSkill />
      <Button
        variant="primary"
        size="small"
        onClick={() => skills.show({ view: 'editor', skillId: null })}
      >
        <Plus aria-hidden="true" size={14} />
        {words.add}
      </Button>
    </>
  );
}

/** Imports a skill from a file, or a folder with a SKILL.md; it needs a review. */
function ImportSkill(): ReactNode {
  const session = useSession();
  const take = async (file: File): Promise<void> => {
    const text = await readAsText(file);
    if (text === null) session.showError(words.unreadableFile(file.name));
    else await session.skills.importSkill({ text });
  };
  const takeFolder = async (files: readonly File[]): Promise<void> => {
    const read = await readAsSkill(files);
    if (read === null) session.showError(words.unreadableFolder);
    else await session.skills.importSkill({ files: read });
  };
  return (
    <>
      <ImportButton
        label={words.import}
        icon={Upload}
        size="small"
        accept=".json,.md,application/json,text/markdown"
        onFiles={([file]) => void take(file)}
      />
      <ImportButton
        label={words.importFolder}
        icon={FolderUp}
        size="small"
        isFolder
        onFiles={(files) => void takeFolder(files)}
      />
    </>
  );
}
