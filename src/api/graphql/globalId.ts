/** Ids of Relay nodes. A session's is its session_id as it is, so that `node(id)` and `session(id)` take the same. */
import { z } from 'zod';

const uuid = z.uuid();

/** Whether a text has the form of a session_id. One that has not was never given out. */
export const isUuid = (text: string): boolean => uuid.safeParse(text).success;

/** `Session` + uuid → the uuid; other types → `Account:<id>`. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

const ACCOUNT = 'Account:';

/** The other way round. A text of no known form is taken for a session_id, and finds nothing. */
export const decodeGlobalId = (globalId: string): { typename: string; id: string } =>
  globalId.startsWith(ACCOUNT)
    ? { typename: 'Account', id: globalId.slice(ACCOUNT.length) }
    : { typename: 'Session', id: globalId };
