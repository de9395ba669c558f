/** The bytes of a file as base64. Rejects when the file cannot be read. */
export function readAsBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // A data URL is the quickest way: the browser encodes outside of JavaScript.
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
    reader.readAsDataURL(file);
  });
}

/** The text of a file; null when it cannot be read. */
export async function readAsText(file: Blob): Promise<string | null> {
  try {
    return await file.text();
  } catch {
    // The file is gone or unreadable: the caller reports it.
    return null;
  }
}
