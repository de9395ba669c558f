import { isRecord } from './fake-image-server.ts';

export interface GraphNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export type Graph = Readonly<Record<string, GraphNode>>;

/** The files in the folders of its models, by folder. */
export type ModelFolders = Readonly<Record<string, readonly string[]>>;

export interface Limits {
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
}

/** A type of the graph, a list of choices, or a plain value with its limits. */
export type Input = readonly [type: string | readonly string[], limits?: Limits];

export interface NodeClass {
  readonly required: Readonly<Record<string, Input>>;
  readonly outputs: readonly string[];
  readonly isOutput: boolean;
  /** Written in the newer style, which shows in how its choices are listed. */
  readonly isNew: boolean;
}

export type NodeTable = Readonly<Record<string, NodeClass>>;

/**
 * The core nodes that workflows of pictures need: `input=TYPE`, `input=@folder of models`,
 * `input=#list of choices`, `input=TYPE:default:min:max`, then what comes out. `*` marks a node in the
 * newer style, `!` an output node.
 */
const NODES = `
CheckpointLoaderSimple ckpt_name=@checkpoints > MODEL CLIP VAE
UNETLoader unet_name=@diffusion_models weight_dtype=#dtype > MODEL
CLIPLoader clip_name=@text_encoders type=#clip > CLIP
DualCLIPLoader clip_name1=@text_encoders clip_name2=@text_encoders type=#clip > CLIP
VAELoader vae_name=@vae > VAE
LoraLoader model=MODEL clip=CLIP lora_name=@loras strength_model=FLOAT:1:-100:100 strength_clip=FLOAT:1:-100:100 > MODEL CLIP
LoraLoaderModelOnly model=MODEL lora_name=@loras strength_model=FLOAT:1:-100:100 > MODEL
CLIPSetLastLayer clip=CLIP stop_at_clip_layer=INT:-1:-24:-1 > CLIP
CLIPTextEncode text=STRING clip=CLIP > CONDITIONING
ConditioningZeroOut conditioning=CONDITIONING > CONDITIONING
FluxGuidance conditioning=CONDITIONING guidance=FLOAT:3.5:0:100 > CONDITIONING
InpaintModelConditioning positive=CONDITIONING negative=CONDITIONING vae=VAE pixels=IMAGE mask=MASK noise_mask=BOOLEAN > CONDITIONING CONDITIONING LATENT
EmptyLatentImage width=INT:512:16:16384 height=INT:512:16:16384 batch_size=INT:1:1:4096 > LATENT
*EmptySD3LatentImage width=INT:1024:16:16384 height=INT:1024:16:16384 batch_size=INT:1:1:4096 > LATENT
KSampler model=MODEL seed=INT:0:0:18446744073709551615 steps=INT:20:1:10000 cfg=FLOAT:8:0:100 sampler_name=#sampler scheduler=#scheduler positive=CONDITIONING negative=CONDITIONING latent_image=LATENT denoise=FLOAT:1:0:1 > LATENT
VAEDecode samples=LATENT vae=VAE > IMAGE
VAEEncode pixels=IMAGE vae=VAE > LATENT
VAEEncodeForInpaint pixels=IMAGE vae=VAE mask=MASK grow_mask_by=INT:6:0:64 > LATENT
SetLatentNoiseMask samples=LATENT mask=MASK > LATENT
LatentUpscale samples=LATENT upscale_method=#latentScaling width=INT:512:0:16384 height=INT:512:0:16384 crop=#crop > LATENT
LatentUpscaleBy samples=LATENT upscale_method=#latentScaling scale_by=FLOAT:1.5:0.01:8 > LATENT
LoadImage image=@input > IMAGE MASK
LoadImageMask image=@input channel=#channel > MASK
ImageToMask image=IMAGE channel=#channel > MASK
MaskToImage mask=MASK > IMAGE
InvertMask mask=MASK > MASK
GrowMask mask=MASK expand=INT:0:-16384:16384 tapered_corners=BOOLEAN > MASK
ImageScale image=IMAGE upscale_method=#scaling width=INT:512:0:16384 height=INT:512:0:16384 crop=#crop > IMAGE
*ImageCompositeMasked destination=IMAGE source=IMAGE x=INT:0:0:16384 y=INT:0:0:16384 resize_source=BOOLEAN mask=MASK > IMAGE
ImageScaleBy image=IMAGE upscale_method=#scaling scale_by=FLOAT:1:0.01:8 > IMAGE
ImagePadForOutpaint image=IMAGE left=INT:0:0:16384 top=INT:0:0:16384 right=INT:0:0:16384 bottom=INT:0:0:16384 feathering=INT:40:0:16384 > IMAGE MASK
*UpscaleModelLoader model_name=@upscale_models > UPSCALE_MODEL
*ImageUpscaleWithModel upscale_model=UPSCALE_MODEL image=IMAGE > IMAGE
!SaveImage images=IMAGE filename_prefix=STRING:ComfyUI >
!PreviewImage images=IMAGE >
`;

const CHOICES: Readonly<Record<string, string>> = {
  dtype: 'default fp8_e4m3fn fp8_e4m3fn_fast fp8_e5m2',
  clip: 'stable_diffusion sdxl sd3 flux lumina2 qwen_image chroma',
  sampler:
    'euler euler_ancestral heun dpm_2 lms dpmpp_2m dpmpp_2m_sde dpmpp_sde dpmpp_3m_sde ddpm lcm deis res_multistep er_sde ddim uni_pc uni_pc_bh2',
  scheduler:
    'simple sgm_uniform karras exponential ddim_uniform beta normal linear_quadratic kl_optimal',
  scaling: 'nearest-exact bilinear area bicubic lanczos',
  latentScaling: 'nearest-exact bilinear area bicubic bislerp',
  channel: 'red green blue alpha',
  crop: 'disabled center',
};

/** The nodes, with the files that are there as the choices of the loaders. */
export function nodeTable(models: ModelFolders, inputFiles: readonly string[]): NodeTable {
  const folders: ModelFolders = { ...models, input: inputFiles };
  const inputOf = (written: string): Input => {
    if (written.startsWith('@')) return [folders[written.slice(1)] ?? []];
    if (written.startsWith('#')) return [(CHOICES[written.slice(1)] ?? '').split(' ')];
    const [type = '', otherwise, min, max] = written.split(':');
    if (otherwise === undefined) return [type];
    if (min === undefined || max === undefined) return [type, { default: otherwise }];
    return [type, { default: Number(otherwise), min: Number(min), max: Number(max) }];
  };
  const table: Record<string, NodeClass> = {};
  for (const line of NODES.trim().split('\n')) {
    const [, mark, name = '', inputs = '', outputs = ''] =
      /^([*!]?)(\w+) (.*) >(.*)$/.exec(line) ?? [];
    const pairs = inputs.split(' ').map((pair) => pair.split('='));
    table[name] = {
      required: Object.fromEntries(pairs.map(([input = '', type = '']) => [input, inputOf(type)])),
      outputs: outputs.trim().split(' ').filter(Boolean),
      isOutput: mark === '!',
      isNew: mark === '*',
    };
  }
  return table;
}

/** What `/object_info` says of a node. */
export function nodeInfo(name: string, { required, outputs, isOutput, isNew }: NodeClass): unknown {
  const shown = Object.entries(required).map(([input, [type, limits = {}]]) => {
    const isChoice = typeof type !== 'string';
    return [
      input,
      isNew && isChoice ? ['COMBO', { multiselect: false, options: type }] : [type, limits],
    ];
  });
  return {
    input: { required: Object.fromEntries(shown) },
    input_order: { required: Object.keys(required) },
    ...{ output: outputs, output_is_list: outputs.map(() => false), output_name: outputs },
    ...{
      name,
      display_name: name,
      description: '',
      python_module: isNew ? 'comfy_extras' : 'nodes',
    },
    ...{ category: 'fake', output_node: isOutput },
  };
}

export function isLink(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'number';
}

export function isGraph(value: unknown): value is Graph {
  return (
    isRecord(value) && Object.values(value).every((node) => isRecord(node) && isRecord(node.inputs))
  );
}
