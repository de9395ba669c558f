/** Gives the person a text as a file, by the way the browser saves downloads. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
