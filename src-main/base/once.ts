/** A lazy value: the first call runs `make`, and later calls return its result. Keeps startup cheap. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
