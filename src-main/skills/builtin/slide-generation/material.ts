import { scanResult } from '../../../guardrails/injection-scan.ts';
import { TokenEstimator } from '../../../models/window/token-estimate.ts';
import { pickPassages, scoreTexts, splitPassages } from '../../../research-text/passages.ts';
import { asData } from '../../as-data.ts';
import type { SkillContext, SkillPrompt } from '../../types.ts';
import { charsOf, roomFor } from '../web-research/fit.ts';
import { taskLines } from './task.ts';
import type { Material, MaterialDocument, SlideTask } from './types.ts';

const estimator = new TokenEstimator();
/** Tokens of request and material in one request. */
const MOST_TOKENS = 8_000;
/** Share of the room that a long request may take where there is material too. */
const REQUEST_SHARE = 0.5;
/** Tokens of the marks around a document and of its number, besides its name. */
const FRAME_TOKENS = 90;
const NAME_CHARS = 200;
/** The start of a data file: its columns. */
const HEAD_CHARS = 700;

export interface PromptParts {
  readonly system: string;
  /** Follows the material: what is to be done now. */
  readonly job: string;
  /** What the material is chosen by. */
  readonly query: string;
}

/** A prompt with as much of the request and of the material as the window of the model holds beside the rest. */
export async function fittedPrompt(
  { system, job, query }: PromptParts,
  { task, material }: { readonly task: SlideTask; readonly material: Material },
  context: SkillContext,
): Promise<SkillPrompt> {
  const lines = taskLines(task);
  const fixed = { system, prompt: `The request:\n\n${lines}\n\n${job}` };
  const room = await roomFor(context, fixed, MOST_TOKENS);
  const isAlone = material.documents.length === 0;
  const request = shortened(task.request, query, isAlone ? room : room * REQUEST_SHARE);
  const documents = pickMaterial(material.documents, query, room - estimator.text(request));
  const parts = [`The request:\n${request}`, lines, ...documents, job];
  return { system, prompt: parts.join('\n\n') };
}

/** A text, or the passages of it that fit and match best. */
function shortened(text: string, query: string, tokens: number): string {
  if (estimator.text(text) <= tokens) return text;
  const chars = charsOf(text, tokens);
  const passages = pickPassages(text, query, chars).map((passage) => passage.text);
  return passages.length === 0 ? text.slice(0, chars) : passages.join('\n…\n');
}

interface Piece {
  readonly document: MaterialDocument;
  readonly text: string;
  /** Its place in its document. */
  readonly at: number;
}

/** The pieces of all documents that match best, as far as there is room, by document; each between marks. */
function pickMaterial(
  documents: readonly MaterialDocument[],
  query: string,
  tokens: number,
): string[] {
  const picked: Piece[] = [];
  const begun = new Set<MaterialDocument>();
  let left = tokens;
  const take = (piece: Piece): void => {
    const isNew = !begun.has(piece.document);
    const name = piece.document.source.slice(0, NAME_CHARS);
    const frame = isNew ? FRAME_TOKENS + estimator.text(name) : 0;
    const cost = estimator.text(piece.text) + 2 + frame;
    if (cost > left || givesOrders(piece)) return;
    left -= cost;
    begun.add(piece.document);
    picked.push(piece);
  };
  for (const document of documents) {
    if (document.kind === 'data') take({ document, text: headOf(document.text), at: 0 });
  }
  const pieces = documents.flatMap((document) => {
    const start = document.kind === 'data' ? headOf(document.text).length : 0;
    return splitPassages(document.text.slice(start)).map(({ text }, at) => ({
      ...{ document, text, at: at + 1 },
    }));
  });
  const scores = scoreTexts(
    pieces.map(({ text }) => text),
    query,
  );
  // Pieces that match equally: the start of each document first.
  const order = pieces
    .map((piece, index) => ({ piece, score: scores[index] ?? 0 }))
    .sort((one, other) => other.score - one.score || one.piece.at - other.piece.at);
  for (const { piece } of order) {
    if (left <= 0) break;
    take(piece);
  }
  return documents
    .filter((document) => begun.has(document))
    .map((document) => {
      const own = picked
        .filter((piece) => piece.document === document)
        .sort((one, other) => one.at - other.at);
      const text = own.map((piece) => piece.text).join('\n\n');
      const kind = document.kind === 'data' ? 'Data file' : 'Material';
      return `${kind} ${document.number}. ${asData(text, document.source)}`;
    });
}

/** Text of a page that gives orders to a model is not material. */
function givesOrders({ document, text }: Piece): boolean {
  return document.kind === 'page' && scanResult(text).length > 0;
}

function headOf(text: string): string {
  const head = text.slice(0, HEAD_CHARS);
  const end = head.lastIndexOf('\n');
  return text.length <= HEAD_CHARS || end <= 0 ? head : head.slice(0, end + 1);
}
