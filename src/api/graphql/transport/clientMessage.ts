/** The messages that a client may send over graphql-transport-ws. */
import { MessageType } from 'graphql-ws';
import { jsonSizeError } from '../../http/parseJson.ts';

/** Close code of graphql-ws: Bad Request. */
export const BAD_REQUEST = 4400;

const CLIENT_TYPES: ReadonlySet<unknown> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/**
 * Returns true if the text is a message whose type the protocol lets a client send. graphql-ws checks the fields of these types, but
 * throws for the types that only a server sends, and repeats the payload of a ping, however deeply it is nested.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export function isClientMessage(text: string): boolean {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof message !== 'object' || message === null) return false;
  const { type } = message as { readonly type?: unknown };
  // The variables of an operation that are nested too deeply, or too many, are an error of that operation only.
  return CLIENT_TYPES.has(type) && (type === MessageType.Subscribe || jsonSizeError(message) === null);
}
