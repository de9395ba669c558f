import type { ConnectorService } from '../connectors/types.ts';
import { type AttachmentParts, storeAttachment } from './attachments.ts';
import type { Requests } from './types.ts';

/** Requests about connectors: only the user makes them. */
export function connectorRequests(connectors: ConnectorService, files: AttachmentParts) {
  return {
    'connectors.list': () => ({ connectors: connectors.list(), storage: connectors.storage }),
    'connectors.read': async ({ text }) => ({ found: await connectors.read(text) }),
    'connectors.add': async ({ name, draft }) => ({ connector: await connectors.add(name, draft) }),
    'connectors.enable': async ({ connectorId, isEnabled }) => ({
      connector: await connectors.enable(connectorId, isEnabled),
    }),
    'connectors.remove': async ({ connectorId }) => {
      await connectors.remove(connectorId);
      return {};
    },
    'connectors.tools': async ({ connectorId, refresh }, { closed }) => ({
      tools: await connectors.tools(connectorId, { refresh, signal: closed }),
    }),
    'connectors.approve': ({ connectorId, tools }) => ({
      tools: connectors.approve(connectorId, tools),
    }),
    'connectors.changeTool': ({ connectorId, ...change }) => ({
      tools: connectors.changeTool(connectorId, change),
    }),
    'connectors.restart': async ({ connectorId }, { closed }) => ({
      connector: await connectors.restart(connectorId, closed),
    }),
    'connectors.signIn': async ({ connectorId }) => ({
      url: await connectors.signIn(connectorId),
    }),
    'connectors.awaitSignIn': async ({ connectorId }) => {
      await connectors.awaitSignIn(connectorId);
      return {};
    },
    'connectors.signOut': async ({ connectorId }) => ({
      connector: await connectors.signOut(connectorId),
    }),
    'connectors.log': ({ connectorId }) => ({ lines: connectors.log(connectorId) }),
    'connectors.offers': () => ({ offers: connectors.offers() }),
    'connectors.attachResource': async ({ connectorId, ...resource }, { closed }) =>
      storeAttachment(await connectors.resource(connectorId, resource, closed), files),
    'connectors.prompt': async ({ connectorId, ...prompt }, { closed }) => ({
      text: await connectors.prompt(connectorId, prompt, closed),
    }),
    'connectors.call': async ({ connectorId, tool, arguments: given }, { closed }) => {
      const { text, isError } = await connectors.call({ connectorId, name: tool }, given, {
        signal: closed,
      });
      return { text, isError };
    },
  } satisfies Requests<'connectors'>;
}
