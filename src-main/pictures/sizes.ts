import type { Size } from './types.ts';

/** The largest size of this shape within `limit`; the size itself where it fits. At least one pixel each way. */
export function fitWithin({ width, height }: Size, limit: Size): Size {
  const scale = Math.min(1, limit.width / width, limit.height / height);
  if (scale === 1) return { width, height };
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
