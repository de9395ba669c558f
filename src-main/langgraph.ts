/**
 * The parts of LangGraph that this app uses, by name, so that the build drops the rest: more than half,
 * which every start would otherwise read, compile and keep in memory. Load only with `await import()`.
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
