import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Does `work` outside of the graph whose node called it. LangGraph follows the asynchronous context, and would
 * treat a graph that is run within a node as a subgraph: with the outer one's checkpoints and limits.
 *
 * The context is that of the process's start: import this module statically, never from within a node.
 */
export const outsideGraphs: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
