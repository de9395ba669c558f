import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Distance from the end, in pixels, that still counts as being there. */
const END_ZONE = 48;

export interface FollowEnd {
  /** To be called after the content changed its height. */
  readonly settle: () => void;
  /** Runs what scrolls the list without the user, which is no reason to stop following. */
  readonly scrollItself: (scroll: () => void) => void;
  /** True if the end is out of sight and not followed. */
  readonly isAway: boolean;
  /** Scrolls to the end and follows it. */
  readonly jump: () => void;
  /** Stops following: a visible row was opened. */
  readonly hold: () => void;
}

/**
 * Keeps a scrolled list at its end while it grows, until the user scrolls away; then it stays put until
 * they scroll back.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>): FollowEnd {
  const following = useRef(true);
  const seen = useRef({ top: 0, content: 0, room: 0 });
  const [isAway, setIsAway] = useState(false);

  const settle = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    if (following.current) element.scrollTop = element.scrollHeight;
    seen.current = measure(element);
    setIsAway(!following.current && distanceFromEnd(element) > END_ZONE);
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      const last = seen.current;
      const now = measure(element);
      seen.current = now;
      // A list that changed its size scrolls without the user.
      const isSameSize = now.content === last.content && now.room === last.room;
      const movedUp = isSameSize && now.top < last.top - 1;
      if (distanceFromEnd(element) <= END_ZONE) following.current = true;
      else if (movedUp) following.current = false;
      setIsAway(!following.current && distanceFromEnd(element) > END_ZONE);
    };
    const onWheel = ({ deltaY }: WheelEvent): void => {
      if (deltaY < 0 && element.scrollTop > 0) following.current = false;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    // A question below the list makes it smaller.
    const resize = new ResizeObserver(settle);
    resize.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      resize.disconnect();
    };
  }, [scroller, settle]);

  const jump = useCallback(() => {
    following.current = true;
    settle();
  }, [settle]);
  const hold = useCallback(() => {
    following.current = false;
  }, []);
  const scrollItself = useCallback(
    (scroll: () => void) => {
      const before = scroller.current?.scrollTop ?? 0;
      scroll();
      // Not what is there now: the user may have scrolled too, and the event for that is still to come.
      seen.current.top += (scroller.current?.scrollTop ?? 0) - before;
    },
    [scroller],
  );
  return { isAway, settle, scrollItself, jump, hold };
}

function measure(element: HTMLElement): { top: number; content: number; room: number } {
  return {
    top: element.scrollTop,
    content: element.scrollHeight,
    room: element.clientHeight,
  };
}

function distanceFromEnd(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}
