import { Embeddings } from '@langchain/core/embeddings';
import type { EmbeddingModel } from '../embeddings/embedding-service.ts';

/**
 * An embedding model of the app as LangChain's `Embeddings`, for its vector stores and retrievers. The caller opens
 * and disposes `model`; aborting `signal` closes its socket.
 */
export class GraphEmbeddings extends Embeddings {
  readonly #model: EmbeddingModel;
  readonly #signal: AbortSignal;

  constructor(model: EmbeddingModel, signal: AbortSignal) {
    super({});
    this.#model = model;
    this.#signal = signal;
  }

  override async embedDocuments(documents: string[]): Promise<number[][]> {
    const vectors = await this.#model.embed(documents, this.#signal);
    return vectors.map((vector) => [...vector]);
  }

  override async embedQuery(document: string): Promise<number[]> {
    const [vector = []] = await this.embedDocuments([document]);
    return vector;
  }
}
