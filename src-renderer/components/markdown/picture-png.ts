/** Sharp on most screens. */
const SCALE = 2;
/** Browsers refuse larger canvases, some of them without a word. */
const LARGEST_SIDE = 8_000;

/** A picture as PNG, on the window's background; null where it cannot be drawn. */
export async function picturePng({
  url,
  width,
  height,
}: {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}): Promise<Blob | null> {
  const scale = Math.min(SCALE, LARGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const image = new Image(width, height);
  image.src = url;
  try {
    await image.decode();
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } catch {
    // A picture that is no image, or that the browser does not let out of a canvas.
    return null;
  }
}
