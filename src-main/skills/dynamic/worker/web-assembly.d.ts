/** Node has it; its types come with those of a window, which main does not have. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
}
