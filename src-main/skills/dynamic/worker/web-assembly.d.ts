/** Node has WebAssembly, but its types come with the DOM types, which main does not load. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
