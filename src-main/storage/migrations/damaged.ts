/** A stored text that cannot be read. It is kept as it is: reading it is an error of this run alone. */
export class Damaged {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `read` of the JSON of a text; `Damaged` if that fails. */
export function readOld<Value>(text: string, read: (json: unknown) => Value): Value | Damaged {
  try {
    return read(JSON.parse(text));
  } catch {
    // Whatever is wrong with it.
    return new Damaged(text);
  }
}
