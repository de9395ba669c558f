import { PinnedModel } from '#contract/local-models.ts';

const GB = 1e9;
/** What one repository of Qwen holds at one revision, so that the address always means the same bytes. */
const QWEN = 'https://huggingface.co/Qwen';
const APACHE = 'Apache-2.0';

/**
 * The models that the app offers, smallest first. Each size and hash is what Hugging Face's Git LFS has for that
 * revision; an entry without a hash does not parse, so nothing can be downloaded without one.
 */
export const PINNED_MODELS: readonly PinnedModel[] = PinnedModel.array().parse([
  {
    ...{ id: 'qwen3-0.6b', label: 'Qwen3 0.6B', file: 'Qwen3-0.6B-Q8_0.gguf', licence: APACHE },
    url: `${QWEN}/Qwen3-0.6B-GGUF/resolve/23749fefcc72300e3a2ad315e1317431b06b590a/Qwen3-0.6B-Q8_0.gguf`,
    sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    bytes: 639_446_688,
    memoryBytes: 3 * GB,
  },
  {
    ...{ id: 'qwen3-1.7b', label: 'Qwen3 1.7B', file: 'Qwen3-1.7B-Q8_0.gguf', licence: APACHE },
    url: `${QWEN}/Qwen3-1.7B-GGUF/resolve/90862c4b9d2787eaed51d12237eafdfe7c5f6077/Qwen3-1.7B-Q8_0.gguf`,
    sha256: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    bytes: 1_834_426_016,
    memoryBytes: 6 * GB,
  },
  {
    ...{ id: 'qwen3-4b', label: 'Qwen3 4B', file: 'Qwen3-4B-Q4_K_M.gguf', licence: APACHE },
    url: `${QWEN}/Qwen3-4B-GGUF/resolve/bc640142c66e1fdd12af0bd68f40445458f3869b/Qwen3-4B-Q4_K_M.gguf`,
    sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    bytes: 2_497_280_256,
    memoryBytes: 7.5 * GB,
  },
  {
    ...{ id: 'qwen3-8b', label: 'Qwen3 8B', file: 'Qwen3-8B-Q4_K_M.gguf', licence: APACHE },
    url: `${QWEN}/Qwen3-8B-GGUF/resolve/7c41481f57cb95916b40956ab2f0b139b296d974/Qwen3-8B-Q4_K_M.gguf`,
    sha256: 'd98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785',
    bytes: 5_027_783_488,
    memoryBytes: 14 * GB,
  },
  {
    ...{ id: 'qwen3-14b', label: 'Qwen3 14B', file: 'Qwen3-14B-Q4_K_M.gguf', licence: APACHE },
    url: `${QWEN}/Qwen3-14B-GGUF/resolve/530227a7d994db8eca5ab5ced2fb692b614357fd/Qwen3-14B-Q4_K_M.gguf`,
    sha256: '500a8806e85ee9c83f3ae08420295592451379b4f8cf2d0f41c15dffeb6b81f0',
    bytes: 9_001_752_960,
    memoryBytes: 22 * GB,
  },
  {
    ...{ id: 'qwen3-30b-a3b', label: 'Qwen3 30B-A3B', licence: APACHE },
    file: 'Qwen3-30B-A3B-Q4_K_M.gguf',
    url: `${QWEN}/Qwen3-30B-A3B-GGUF/resolve/e4d4bafdfb96a411a163846265362aceb0b9c63a/Qwen3-30B-A3B-Q4_K_M.gguf`,
    sha256: '0d003f6662faee786ed5da3e31b29c978de5ae5d275c8794c606a7f3c01aa8f5',
    bytes: 18_556_685_824,
    memoryBytes: 40 * GB,
  },
]);

const MOST_OFFERS = 3;

/** The largest three that fit a computer with so much memory, smallest first. */
export function offersFor(
  memoryBytes: number,
  pinned: readonly PinnedModel[] = PINNED_MODELS,
): PinnedModel[] {
  return pinned.filter((model) => model.memoryBytes <= memoryBytes).slice(-MOST_OFFERS);
}
