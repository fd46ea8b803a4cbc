/** Ids of Relay nodes. The id of a session is its session_id, so that `node(id)` and `session(id)` accept the same id. */

/** Returns the global id of an object: the id itself for a `Session`, `Account:<id>` for an account. */
export const encodeGlobalId = (typename: string, id: string): string =>
  typename === 'Session' ? id : `${typename}:${id}`;

const ACCOUNT = 'Account:';

/** Parses a global id: `Account:<id>` is the id of an account, any other text that of a session, which need not exist. */
export const decodeGlobalId = (globalId: string): { typename: string; id: string } =>
  globalId.startsWith(ACCOUNT)
    ? { typename: 'Account', id: globalId.slice(ACCOUNT.length) }
    : { typename: 'Session', id: globalId };
