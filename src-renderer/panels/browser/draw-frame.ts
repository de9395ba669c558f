/**
 * Draws a picture as JPEG, and resolves when it is on the screen: while the window is hidden, it is not. What cannot
 * be drawn is left out. Nothing of the picture is kept but what the canvas shows.
 */
export async function drawFrame(canvas: HTMLCanvasElement, data: string): Promise<void> {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  // As wide as it is shown: what a canvas scales down itself cannot be read.
  const resizeWidth = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }), {
    ...{ resizeWidth, resizeQuality: 'high' },
  }).catch(() => null);
  if (picture === null) return;
  await new Promise(requestAnimationFrame);
  const { width, height } = picture;
  // Setting a size clears the canvas.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext('2d', { alpha: false })?.drawImage(picture, 0, 0);
  picture.close();
  canvas.dataset.drawn = 'true';
}
