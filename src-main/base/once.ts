/** What `make` gives, made when it is first asked for and kept: a start does not pay for what it does not use. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
