/** Ids of Relay nodes. The id of a session is its session_id, so that `node(id)` and `session(id)` accept the same id. */
import { z } from 'zod';

const uuid = z.uuid();

/** Returns true if the text is a UUID, the form of a session_id. */
export const isUuid = (text: string): boolean => uuid.safeParse(text).success;

/** Returns the uuid for `Session`; `Account:<id>` for other types. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

const ACCOUNT = 'Account:';

/** Parses a global id. Any other text is returned as a session_id, for which no session exists. */
export const decodeGlobalId = (globalId: string): { typename: string; id: string } =>
  globalId.startsWith(ACCOUNT)
    ? { typename: 'Account', id: globalId.slice(ACCOUNT.length) }
    : { typename: 'Session', id: globalId };
