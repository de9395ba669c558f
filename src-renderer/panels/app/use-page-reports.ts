import { type RefObject, useEffect, useRef } from 'react';
import { type PageReport, parseReport } from './page-reports.ts';

/** Reports of one frame of the screen; a page that sends more loses the rest. */
const MOST_AT_ONCE = 100;

/**
 * Takes what the page in `frame` reports, once per frame of the screen. Only messages of that page, from the origin
 * that it was opened at, are read.
 */
export function usePageReports(
  frame: RefObject<HTMLIFrameElement | null>,
  url: string,
  onReports: (reports: readonly PageReport[]) => void,
): void {
  const latest = useRef(onReports);
  latest.current = onReports;
  useEffect(() => {
    const { origin } = new URL(url);
    let waiting: PageReport[] = [];
    let drawing: number | null = null;
    const onMessage = (event: MessageEvent): void => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return;
      if (event.origin !== origin || waiting.length >= MOST_AT_ONCE) return;
      const report = parseReport(event.data, origin);
      if (report === null) return;
      waiting.push(report);
      drawing ??= requestAnimationFrame(() => {
        const reports = waiting;
        [waiting, drawing] = [[], null];
        latest.current(reports);
      });
    };
    window.addEventListener('message', onMessage);
    return () => {
      window.removeEventListener('message', onMessage);
      if (drawing !== null) cancelAnimationFrame(drawing);
    };
  }, [frame, url]);
}
