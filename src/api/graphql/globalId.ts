/** Ids of Relay nodes. A session's is its session_id as it is, so that `node(id)` and `session(id)` take the same. */
import { z } from 'zod';

const uuid = z.uuid();

/** Whether a text has the form of a session_id. One that has not was never given out. */
export const isUuid = (text: string): boolean => uuid.safeParse(text).success;

/** `Session` + uuid → the uuid; other types → `Account:<id>`. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

/** The other way round. A text of neither form names a type that does not exist, and so finds nothing. */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const at = globalId.indexOf(':');
  return at === -1
    ? { typename: 'Session', id: globalId }
    : { typename: globalId.slice(0, at), id: globalId.slice(at + 1) };
}
