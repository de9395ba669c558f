import { type Graph, type GraphNode, type Input, isLink, type NodeTable } from './comfyui-nodes.ts';
import { isRecord } from './fake-image-server.ts';

export interface GraphError {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

export interface Validation {
  /** Null if at least one output can run. */
  readonly error: GraphError | null;
  readonly outputs: readonly string[];
  readonly nodeErrors: Readonly<Record<string, unknown>>;
}

/** Checks a graph as the server does, with its words. */
export function validateGraph(
  graph: Graph,
  table: NodeTable,
  { hasFile, isOld }: { readonly hasFile: (name: string) => boolean; readonly isOld: boolean },
): Validation {
  const refuse = (error: GraphError): Validation => ({ error, outputs: [], nodeErrors: {} });
  const wanted: string[] = [];
  for (const [id, node] of Object.entries(graph)) {
    const found = isRecord(node) ? table[node.class_type] : undefined;
    if (!found) return refuse(missingNode(id, node.class_type, isOld));
    if (found.isOutput) wanted.push(id);
  }
  if (wanted.length === 0)
    return refuse({
      type: 'prompt_no_outputs',
      message: 'Prompt has no outputs',
      details: '',
      extra_info: {},
    });
  const validator = new Validator(graph, table, hasFile);
  const outputs: string[] = [];
  const lines: string[] = [];
  const nodeErrors: Record<
    string,
    { errors: readonly GraphError[]; dependent_outputs: string[]; class_type: string }
  > = {};
  for (const output of wanted) {
    if (validator.checkOutput(output)) {
      outputs.push(output);
      continue;
    }
    for (const { message, details } of validator.errors.get(output) ?? [])
      lines.push(`${message}: ${details}`);
    for (const [id, errors] of validator.errors) {
      if (errors.length === 0) continue;
      nodeErrors[id] ??= { errors, dependent_outputs: [], class_type: graph[id]?.class_type ?? '' };
      nodeErrors[id].dependent_outputs.push(output);
    }
  }
  if (outputs.length > 0) return { error: null, outputs, nodeErrors };
  const type = 'prompt_outputs_failed_validation';
  const message = 'Prompt outputs failed validation';
  return {
    error: { type, message, details: lines.join('\n'), extra_info: {} },
    outputs,
    nodeErrors,
  };
}

class Validator {
  /** Of each node that was looked at; empty if something above it is wrong. */
  readonly errors = new Map<string, readonly GraphError[]>();
  readonly #graph: Graph;
  readonly #table: NodeTable;
  readonly #hasFile: (name: string) => boolean;
  readonly #isFine = new Map<string, boolean>();

  constructor(graph: Graph, table: NodeTable, hasFile: (name: string) => boolean) {
    this.#graph = graph;
    this.#table = table;
    this.#hasFile = hasFile;
  }

  checkOutput(id: string): boolean {
    try {
      return this.#check(id, []);
    } catch (error) {
      const details = error instanceof Error ? error.message : '';
      const extra_info = { exception_type: 'KeyError', traceback: [] };
      const message = 'Exception when validating node';
      this.errors.set(id, [{ type: 'exception_during_validation', message, details, extra_info }]);
      return false;
    }
  }

  #check(id: string, above: readonly string[]): boolean {
    const known = this.#isFine.get(id);
    if (known !== undefined) return known;
    const node = this.#graph[id];
    const found = node && this.#table[node.class_type];
    if (!node || !found) throw new Error(`'${id}'`);
    const errors: GraphError[] = [];
    let isFine = true;
    if (above.includes(id)) {
      const details = [...above.slice(above.indexOf(id)), id].join(' -> ');
      errors.push({
        type: 'dependency_cycle',
        message: 'Dependency cycle detected',
        details,
        extra_info: { node_id: id },
      });
    } else {
      for (const [name, input] of Object.entries(found.required)) {
        const value = node.inputs[name];
        if (isLink(value))
          isFine = this.#checkLink(name, value, { input, errors, path: [...above, id] }) && isFine;
        else errors.push(...this.#checkValue(name, value, { input, node }));
      }
    }
    this.errors.set(id, [...errors, ...(this.errors.get(id) ?? [])]);
    isFine &&= errors.length === 0;
    this.#isFine.set(id, isFine);
    return isFine;
  }

  #checkLink(
    input_name: string,
    link: readonly [string, number],
    {
      input,
      errors,
      path,
    }: { readonly input: Input; readonly errors: GraphError[]; readonly path: readonly string[] },
  ): boolean {
    const from = this.#graph[link[0]];
    const outputs = from && this.#table[from.class_type]?.outputs;
    if (!outputs) throw new Error(`'${link[0]}'`);
    const received_type = outputs[link[1]];
    if (received_type === undefined) throw new Error('tuple index out of range');
    const base = { input_name, input_config: [input[0], input[1] ?? {}], linked_node: link };
    if (received_type !== input[0]) {
      const details = `${input_name}, received_type(${received_type}) mismatch input_type(${String(input[0])})`;
      const message = 'Return type mismatch between linked nodes';
      errors.push({
        type: 'return_type_mismatch',
        message,
        details,
        extra_info: { ...base, received_type },
      });
      return true;
    }
    try {
      return this.#check(link[0], path);
    } catch (error) {
      const details = error instanceof Error ? error.message : '';
      const extra_info = {
        ...base,
        exception_message: details,
        exception_type: 'KeyError',
        traceback: [],
      };
      const message = 'Exception when validating inner node';
      this.errors.set(link[0], [
        { type: 'exception_during_inner_validation', message, details, extra_info },
      ]);
      this.#isFine.set(link[0], false);
      return false;
    }
  }

  #checkValue(
    name: string,
    value: unknown,
    { input: [type, limits = {}], node }: { readonly input: Input; readonly node: GraphNode },
  ): readonly GraphError[] {
    const info = { input_name: name, input_config: [type, limits], received_value: value };
    const error = (kind: string, message: string, details = name): readonly GraphError[] => [
      { type: kind, message, details, extra_info: info },
    ];
    if (value === undefined) {
      const extra_info = { input_name: name };
      return [
        {
          type: 'required_input_missing',
          message: 'Required input is missing',
          details: name,
          extra_info,
        },
      ];
    }
    if (Array.isArray(value))
      return error(
        'bad_linked_input',
        'Bad linked input, must be a length-2 list of [node_id, slot_index]',
      );
    if (node.class_type.startsWith('LoadImage') && name === 'image') {
      if (this.#hasFile(String(value))) return [];
      const details = `image - Invalid image file: ${String(value)}`;
      return error('custom_validation_failed', 'Custom validation failed for node', details);
    }
    if (typeof type !== 'string') {
      const list =
        type.length > 20
          ? `(list of length ${type.length})`
          : `[${type.map((one) => `'${one}'`).join(', ')}]`;
      if (type.includes(String(value))) return [];
      return error(
        'value_not_in_list',
        'Value not in list',
        `${name}: '${String(value)}' not in ${list}`,
      );
    }
    if (type !== 'INT' && type !== 'FLOAT') return [];
    const number = typeof value === 'object' || value === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) {
      const message = `Failed to convert an input value to a ${type} value`;
      return error('invalid_input_type', message, `${name}, ${String(value)}, invalid literal`);
    }
    const { min = -Infinity, max = Infinity } = limits;
    if (number < min)
      return error('value_smaller_than_min', `Value ${number} smaller than min of ${min}`);
    return number > max
      ? error('value_bigger_than_max', `Value ${number} bigger than max of ${max}`)
      : [];
  }
}

function missingNode(id: string, class_type: string | undefined, isOld: boolean): GraphError {
  const details = `Node ID '#${id}'`;
  if (isOld) {
    const message = `Cannot execute because node ${class_type} does not exist.`;
    return { type: 'invalid_prompt', message, details, extra_info: {} };
  }
  const message = `Node '${class_type}' not found. The custom node may not be installed.`;
  const extra_info = {
    node_id: id,
    class_type: class_type ?? null,
    node_title: class_type ?? null,
  };
  return { type: 'missing_node_type', message, details, extra_info };
}
