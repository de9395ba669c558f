/**
 * What this app uses of LangGraph, by name: the build leaves out the rest, which is more than half of it
 * and would be read, compiled and kept in memory by every start. Only ever loaded by `await import()`.
 */
export {
  Annotation,
  Command,
  END,
  entrypoint,
  START,
  StateGraph,
  task,
} from '@langchain/langgraph';
