import type { Reader, Tape } from './tape.ts';

interface Node<T> {
  readonly next: Map<number, Node<T>>;
  hit?: { readonly literal: string; readonly value: T };
}

/** Many literals, of which the longest that comes next is found in one pass. */
export class LiteralIndex<T> {
  readonly #root: Node<T> = { next: new Map() };

  /** The first value that is added for a literal stays. */
  add(literal: string, value: T): void {
    let node = this.#root;
    for (let at = 0; at < literal.length; at += 1) {
      const code = literal.charCodeAt(at);
      const next: Node<T> = node.next.get(code) ?? { next: new Map() };
      node.next.set(code, next);
      node = next;
    }
    node.hit ??= { literal, value };
  }

  /** Whether a literal stands at `at`, or may stand there with what follows `text`. */
  mayBegin(text: string, at: number): boolean {
    let node: Node<T> | undefined = this.#root;
    for (let place = at; node !== undefined; place += 1) {
      if (node.hit !== undefined || place >= text.length) return true;
      node = node.next.get(text.charCodeAt(place));
    }
    return false;
  }

  /** The longest literal that comes next, moving behind it; null, without moving, when none does. */
  *take(tape: Tape): Reader<{ readonly literal: string; readonly value: T } | null> {
    let node: Node<T> | undefined = this.#root;
    let hit: Node<T>['hit'];
    for (let ahead = 0; node !== undefined; ahead += 1) {
      hit = node.hit ?? hit;
      if (node.next.size === 0) break;
      const code = tape.code(ahead);
      node = node.next.get(code < 0 ? yield* tape.peek(ahead) : code);
    }
    if (hit === undefined) return null;
    tape.position += hit.literal.length;
    return hit;
  }
}
