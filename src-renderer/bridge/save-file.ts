/** Saves a text as a file, as a browser download. */
export function saveText(name: string, text: string, type = 'application/json'): void {
  saveBlob(name, new Blob([text], { type }));
}

/** The same for a file that main made. */
export function saveBase64({
  fileName,
  mimeType,
  data,
}: {
  readonly fileName: string;
  readonly mimeType: string;
  readonly data: string;
}): void {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  saveBlob(fileName, new Blob([bytes], { type: mimeType }));
}

/** Loads a file of this origin, as a browser download. */
export function loadPath(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

/** The same for what the window made. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
