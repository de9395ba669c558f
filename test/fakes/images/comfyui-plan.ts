import { type Graph, type GraphNode, isLink } from './comfyui-nodes.ts';
import { hashOf } from './fake-image-server.ts';
import { pictureFacts } from './png.ts';

/** A node as it is carried out. */
export interface NodeRun {
  readonly id: string;
  readonly node: GraphNode;
  /** Of all that shapes its result; the seed is part of it. */
  readonly hash: number;
  /** Of the picture that an output node gets. */
  readonly drawn: number;
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** How often it reports progress. */
  readonly ticks: number;
}

/** The nodes that these outputs need, in the order in which they run. */
export function planGraph(
  graph: Graph,
  outputs: readonly string[],
  bytesOf: (name: string) => Buffer | null,
): readonly NodeRun[] {
  const runs = new Map<string, NodeRun>();
  const visit = (id: string): NodeRun | undefined => {
    const known = runs.get(id);
    const node = graph[id];
    if (known || !node) return known;
    const linked = Object.entries(node.inputs).flatMap(([name, value]) => {
      const from = isLink(value) ? visit(value[0]) : undefined;
      return from ? [{ name, from, slot: isLink(value) ? value[1] : 0 }] : [];
    });
    const literals = Object.entries(node.inputs).filter(([, value]) => !isLink(value));
    const file = typeof node.inputs.image === 'string' ? bytesOf(node.inputs.image) : null;
    const above = linked.map(({ name, from, slot }) => [name, from.hash, slot]);
    const main = linked.filter(({ from }) => from.width > 0);
    const source = main.find(({ name }) => !name.startsWith('mask'))?.from ?? main[0]?.from;
    const run: NodeRun = {
      ...{
        id,
        node,
        hash: hashOf(node.class_type, literals.sort(), above, file ?? ''),
        drawn: source?.hash ?? 0,
      },
      ...sizeAfter(node, {
        source,
        file,
        upscaler: linked.find(({ name }) => name === 'upscale_model')?.from,
      }),
      ticks: ticksOf(node),
    };
    runs.set(id, run);
    return run;
  };
  for (const output of outputs) visit(output);
  return [...runs.values()];
}

function ticksOf({ class_type, inputs }: GraphNode): number {
  if (class_type === 'KSampler') return Number(inputs.steps);
  return class_type === 'ImageUpscaleWithModel' ? 4 : 0;
}

function sizeAfter(
  { class_type, inputs }: GraphNode,
  {
    source,
    file,
    upscaler,
  }: {
    readonly source: NodeRun | undefined;
    readonly file: Buffer | null;
    readonly upscaler: NodeRun | undefined;
  },
): Pick<NodeRun, 'width' | 'height' | 'count'> {
  const { width = 0, height = 0, count = 1 } = source ?? {};
  const number = (name: string): number => Number(inputs[name] ?? 0);
  const by = (factor: number): Pick<NodeRun, 'width' | 'height' | 'count'> => ({
    ...{ width: Math.round(width * factor), height: Math.round(height * factor), count },
  });
  switch (class_type) {
    case 'EmptyLatentImage':
    case 'EmptySD3LatentImage':
      return {
        width: number('width') & ~7,
        height: number('height') & ~7,
        count: number('batch_size'),
      };
    case 'LoadImage':
    case 'LoadImageMask': {
      const facts = pictureFacts(file ?? Buffer.alloc(0));
      return { width: facts?.width ?? 64, height: facts?.height ?? 64, count: 1 };
    }
    case 'ImageScale':
    case 'LatentUpscale': {
      const [w, h] = [number('width'), number('height')];
      return {
        width: w || Math.round((width * h) / height),
        height: h || Math.round((height * w) / width),
        count,
      };
    }
    case 'ImageScaleBy':
    case 'LatentUpscaleBy':
      return by(number('scale_by'));
    case 'ImageUpscaleWithModel':
      return by(
        Number(
          /(\d)x|x(\d)/i.exec(String(upscaler?.node.inputs.model_name))?.slice(1).find(Boolean) ??
            4,
        ),
      );
    case 'ImagePadForOutpaint':
      return {
        width: width + number('left') + number('right'),
        height: height + number('top') + number('bottom'),
        count,
      };
    case 'VAEEncode':
    case 'VAEEncodeForInpaint':
    case 'InpaintModelConditioning':
      return { width: width & ~7, height: height & ~7, count };
    default:
      return { width, height, count };
  }
}
