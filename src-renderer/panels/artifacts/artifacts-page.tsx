import { Images, PanelLeftOpen, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ArtifactKind } from '#contract/artifacts.ts';
import { ARTIFACT_QUERY_CHARS } from '#contract/artifacts.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { NO_ARTIFACT_FILTER } from '../../store/app-state.ts';
import { appStrings } from '../../strings/app.ts';
import { artifactStrings as words } from '../../strings/artifacts.ts';
import { ArtifactList } from './artifact-list.tsx';
import { type ArtifactListing, useArtifacts } from './use-artifacts.ts';

/** Everything that the agent made in all tasks, in place of the conversation. */
export function ArtifactsPage({
  sidebarShown,
  onShowSidebar,
}: {
  readonly sidebarShown: boolean;
  readonly onShowSidebar: () => void;
}): ReactNode {
  const main = useRef<HTMLElement>(null);
  useEffect(() => main.current?.focus(), []);
  return (
    <main className="artifacts-page" ref={main} tabIndex={-1}>
      <header className="chat-header">
        {!sidebarShown && (
          <IconButton label={appStrings.showSidebar} onClick={onShowSidebar}>
            <PanelLeftOpen aria-hidden="true" size={16} />
          </IconButton>
        )}
        <h1 className="chat-title">{words.title}</h1>
      </header>
      <ErrorBoundary>
        <Artifacts />
      </ErrorBoundary>
    </main>
  );
}

function Artifacts(): ReactNode {
  const { artifacts } = useSession();
  const filter = useApp((state) => state.artifactFilter);
  const listing = useArtifacts(null, filter);
  const isFiltered = filter.words.trim() !== '' || filter.kind !== null;
  const isEmpty = listing.artifacts.length === 0;
  if (isEmpty && listing.phase === 'failed') {
    return <LoadFailed title={words.failed} problem={listing.problem} onRetry={listing.retry} />;
  }
  if (isEmpty && listing.phase === 'ready' && !isFiltered) {
    return <EmptyState icon={Images} text={words.none} />;
  }
  return (
    <>
      <Filters listing={listing} />
      {!isEmpty && <ArtifactList listing={listing} ofAll onOpen={artifacts.open} />}
      {isEmpty && listing.phase === 'loading' && (
        <div className="artifacts-loading">
          <Skeleton label={words.loading} lines={8} />
        </div>
      )}
      {isEmpty && listing.phase === 'ready' && (
        <EmptyState icon={Images} text={words.nothingFits}>
          <Button size="small" onClick={() => artifacts.filter(NO_ARTIFACT_FILTER)}>
            {words.clearFilter}
          </Button>
        </EmptyState>
      )}
    </>
  );
}

/** Stands for "any" in a select, whose values cannot be null. */
const ANY = '';
const KINDS = Object.keys(words.kinds) as readonly ArtifactKind[];

function Filters({ listing }: { readonly listing: ArtifactListing }): ReactNode {
  const { artifacts } = useSession();
  const { words: typed, kind } = useApp((state) => state.artifactFilter);
  return (
    <search className="artifact-filters">
      <div className="search-box artifact-search">
        <Search aria-hidden="true" size={14} />
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={typed}
          maxLength={ARTIFACT_QUERY_CHARS}
          onChange={(event) => artifacts.filter({ words: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') artifacts.filter({ words: '' });
          }}
        />
      </div>
      <select
        className="text-input"
        aria-label={words.kind}
        value={kind ?? ANY}
        onChange={(event) => {
          const chosen = KINDS.find((one) => one === event.target.value) ?? null;
          artifacts.filter({ kind: chosen });
        }}
      >
        <option value={ANY}>{words.anyKind}</option>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {words.kinds[one]}
          </option>
        ))}
      </select>
      <p className="muted artifact-count" role="status">
        {words.count(listing.artifacts.length, listing.hasMore)}
      </p>
    </search>
  );
}
