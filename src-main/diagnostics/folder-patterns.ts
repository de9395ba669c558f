/** Folders however they are spelled: with other separators, doubled ones, `.`, other case, or escaped. */
export function folderPatterns(folders: readonly string[]): RegExp[] {
  return folders.flatMap((folder) => {
    const parts = folder.split(/[\\/]+/).filter((part) => part !== '' && !/^[a-z]:$/i.test(part));
    // The root of a disk says nothing of anyone.
    if (parts.length === 0) return [];
    const [drive = ''] = /^[a-z]:/i.exec(folder) ?? [];
    const spelled = parts.map((part) => {
      const forms = [part, part.normalize('NFC'), part.normalize('NFD'), encodeURIComponent(part)];
      return `(?:${[...new Set(forms)].map(literally).join('|')})`;
    });
    const separator = '[\\\\/]+(?:\\.[\\\\/]+)*';
    // At the first separator of a run only: a start at each one would take quadratic time.
    const start = '(?:(?<![\\p{L}\\p{N}_.~\\\\/-])|(?<=[\\p{L}\\p{N}_~-])(?=[\\\\/]{2}))';
    const path = `${drive}${separator}${spelled.join(separator)}`;
    return [new RegExp(`${start}${path}(?![\\p{L}\\p{N}_-])`, 'giu')];
  });
}

/** A pattern for exactly this text. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
