export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size whose edges differ least from the wanted ones, as factors; the first of several. Throws without sizes. */
export function nearestSize<Size extends PixelSize>(
  wanted: PixelSize,
  sizes: Iterable<Size>,
): Size {
  return nearest(
    sizes,
    ({ width, height }) =>
      Math.log(width / wanted.width) ** 2 + Math.log(height / wanted.height) ** 2,
  );
}

/** The size of the most similar shape, however large; the first of several. Throws without sizes. */
export function nearestShape<Size extends PixelSize>(
  wanted: PixelSize,
  sizes: Iterable<Size>,
): Size {
  const ratio = wanted.width / wanted.height;
  return nearest(sizes, ({ width, height }) => Math.abs(Math.log(width / height / ratio)));
}

function nearest<Size>(sizes: Iterable<Size>, difference: (size: Size) => number): Size {
  let best: { readonly size: Size; readonly by: number } | null = null;
  for (const size of sizes) {
    const by = difference(size);
    if (best === null || by < best.by) best = { size, by };
  }
  if (best === null) throw new Error('There are no sizes to choose from');
  return best.size;
}
