import {
  ExternalLink,
  Monitor,
  MousePointerClick,
  RotateCw,
  Smartphone,
  Square,
  Tablet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskApp } from '#contract/apps.ts';
import { IconButton } from '../../components/button.tsx';
import { Tip } from '../../components/tip.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appTabStrings as words } from '../../strings/app-tab.ts';
import { AppExport } from './app-build.tsx';

/** Widths of the page in CSS pixels; null for that of the panel. */
export const PAGE_WIDTHS = { phone: 390, tablet: 768, desktop: null } as const;
export type PageWidth = keyof typeof PAGE_WIDTHS;

const WIDTHS = [
  { id: 'phone', Icon: Smartphone },
  { id: 'tablet', Icon: Tablet },
  { id: 'desktop', Icon: Monitor },
] as const;

interface AppToolbarProps {
  readonly app: TaskApp;
  /** The address of the page that is shown. */
  readonly url: string;
  /** Where in the app the page is, by its own words. */
  readonly place: string;
  readonly width: PageWidth;
  readonly onWidth: (width: PageWidth) => void;
  readonly onReload: () => void;
  readonly isPicking: boolean;
  readonly onPick: () => void;
}

/** The bar above a running app. Its host stays hidden: it is the secret that keeps others out. */
export function AppToolbar(props: AppToolbarProps): ReactNode {
  const { app, url, place, width, onWidth, onReload, isPicking, onPick } = props;
  const { apps } = useSession();
  const { threadId, ports } = app;
  return (
    <div className="app-toolbar">
      <IconButton label={words.reload} size="small" onClick={onReload}>
        <RotateCw aria-hidden="true" size={15} />
      </IconButton>
      <span className="app-place">
        <span className="visually-hidden">{words.path}: </span>
        <VisibleText text={place} />
      </span>
      {ports.length > 1 && (
        <select
          className="text-input app-port"
          aria-label={words.port}
          value={ports[0]}
          onChange={(event) => void apps.show(threadId, Number(event.target.value))}
        >
          {ports
            .toSorted((a, b) => a - b)
            .map((port) => (
              <option key={port} value={port}>
                {port}
              </option>
            ))}
        </select>
      )}
      <fieldset className="app-widths" aria-label={words.width}>
        {WIDTHS.map(({ id, Icon }) => (
          <IconButton
            key={id}
            label={words.widths[id]}
            size="small"
            aria-pressed={width === id}
            onClick={() => onWidth(id)}
          >
            <Icon aria-hidden="true" size={15} />
          </IconButton>
        ))}
      </fieldset>
      <IconButton
        label={isPicking ? words.stopPicking : words.pick}
        size="small"
        aria-pressed={isPicking}
        onClick={onPick}
      >
        <MousePointerClick aria-hidden="true" size={15} />
      </IconButton>
      <Tip text={words.outsideTip}>
        <a
          className="button icon-button"
          data-variant="ghost"
          data-size="small"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={words.outside}
        >
          <ExternalLink aria-hidden="true" size={15} />
        </a>
      </Tip>
      <AppExport app={app} />
      <IconButton label={words.stop} size="small" onClick={() => void apps.stop(threadId)}>
        <Square aria-hidden="true" size={14} />
      </IconButton>
    </div>
  );
}
