import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import { AppError } from '#contract/errors.ts';
import { isRecord } from '../json-text.ts';
import type { ChatMessage, ImagePart, Replay, ToolCall } from '../types.ts';

/** Under this key, the fields of our messages that LangChain has no place for travel with its own. */
export const OWN_FIELDS = 'hyperagent';

/** What `OWN_FIELDS` holds: the thinking of an answer, and what its calls want back, by their ids. */
export interface OwnFields {
  readonly reasoning: string;
  readonly replays: Readonly<Record<string, Replay>>;
}

/**
 * LangChain's messages as ours. Throws `BAD_REQUEST` for what our models do not take: functions, files,
 * pictures by their address.
 */
export function fromLangChain(messages: readonly BaseMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message): ChatMessage => {
    const type = message.getType();
    switch (type) {
      case 'system':
        return { role: 'system', content: textOf(message) };
      case 'human': {
        const images = imagesOf(message);
        return { role: 'user', content: textOf(message), ...(images.length > 0 && { images }) };
      }
      case 'ai': {
        const answer = answerOf(message as AIMessage);
        for (const { id, name } of answer.toolCalls ?? []) names.set(id, name);
        return answer;
      }
      case 'tool': {
        const { tool_call_id: toolCallId, name } = message as ToolMessage;
        const toolName = name ?? names.get(toolCallId) ?? '';
        return { role: 'tool', content: textOf(message), toolCallId, toolName };
      }
      default:
        throw unsupported(`messages of the type ${type}`);
    }
  });
}

function answerOf(message: AIMessage): Extract<ChatMessage, { role: 'assistant' }> {
  const own = message.additional_kwargs[OWN_FIELDS] as OwnFields | undefined;
  const toolCalls = (message.tool_calls ?? []).map(({ id = '', name, args }): ToolCall => {
    const replay = own?.replays[id];
    return { id, name, arguments: args, ...(replay && { replay }) };
  });
  return {
    role: 'assistant',
    content: textOf(message),
    ...(own?.reasoning && { reasoning: own.reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

/** The texts of a message, without its thinking and calls, which have places of their own. */
function textOf({ content }: BaseMessage): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      switch (block.type) {
        case 'text':
          return String(block.text);
        case 'image':
        case 'image_url':
        case 'reasoning':
        case 'thinking':
        case 'tool_call':
        case 'tool_use':
          return '';
        default:
          throw unsupported(`content of the type ${String(block.type)}`);
      }
    })
    .join('');
}

const DATA_URL = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/=]*)$/;

function imagesOf({ content }: BaseMessage): ImagePart[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block: Readonly<Record<string, unknown>>): ImagePart[] => {
    if (block.type === 'image' && typeof block.data === 'string') {
      return [{ mimeType: String(block.mimeType ?? 'image/png'), data: block.data }];
    }
    if (block.type !== 'image' && block.type !== 'image_url') return [];
    const { image_url: given, url = isRecord(given) ? given.url : given } = block;
    const [, mimeType, data] = DATA_URL.exec(String(url)) ?? [];
    if (mimeType === undefined || data === undefined)
      throw unsupported('pictures by their address');
    return [{ mimeType, data }];
  });
}

function unsupported(what: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `Models of this app do not take ${what}. Send text, or pictures as base64.`,
  );
}
