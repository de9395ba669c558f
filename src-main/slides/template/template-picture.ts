/** The name under which the pictures of a deck have one of its template. */
export function templatePicture(name: string): string {
  return `template:${name}`;
}
