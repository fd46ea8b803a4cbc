/** Ids of Relay nodes. The id of a session is its session_id, so that `node(id)` and `session(id)` take the same. */
import { z } from 'zod';

const uuid = z.uuid();

/** Returns true for the form of a session_id. */
export const isUuid = (text: string): boolean => uuid.safeParse(text).success;

/** `Session` + uuid → the uuid; other types → `Account:<id>`. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

const ACCOUNT = 'Account:';

/** The inverse. Any other text is taken for a session_id, which finds nothing. */
export const decodeGlobalId = (globalId: string): { typename: string; id: string } =>
  globalId.startsWith(ACCOUNT)
    ? { typename: 'Account', id: globalId.slice(ACCOUNT.length) }
    : { typename: 'Session', id: globalId };
