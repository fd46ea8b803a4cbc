/** Signed, short-lived addresses of files: a browser can load a picture or a download without an API key. */
import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Viewer } from '../../domain/account/account.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { AccountStore } from '../../domain/ports/accountStore.ts';
import type { Clock } from '../../domain/ports/clock.ts';

export const LINKED_KINDS = ['picture', 'frame', 'download', 'export'] as const;

/** `id`: the number of a picture or a frame, the id of a download, or the format of an export. */
export interface LinkedFile {
  readonly sessionId: string;
  readonly kind: (typeof LINKED_KINDS)[number];
  readonly id: string;
}

/** Lifetime of a link, in seconds: a page that shows it is read by then, and a link that was copied is worth nothing soon. */
const LINK_LIFETIME_SECONDS = 900;

const ALGORITHM = 'HS256';
const claims = z.object({
  account: z.string(),
  session: z.string(),
  kind: z.enum(LINKED_KINDS),
  file: z.string(),
});

export interface FileLinks {
  /** Returns the path of a file for the next 15 minutes. The viewer must be allowed to read the session. */
  linkTo(viewer: Viewer, file: LinkedFile): Promise<string>;
  /** Returns also a viewer that may read the file. @throws Failure NOT_FOUND for a text that this service did not sign; LINK_EXPIRED */
  resolveLink(token: string): Promise<{ readonly viewer: Viewer; readonly file: LinkedFile }>;
}

/** Creates the links. All nodes of a cluster sign with the same key, which the store keeps. */
export function createFileLinks(
  accounts: Pick<AccountStore, 'accounts' | 'signingKey'>,
  clock: Pick<Clock, 'now'>,
): FileLinks {
  let reading: Promise<Uint8Array> | null = null;
  const signingKey = (): Promise<Uint8Array> => {
    reading ??= accounts.signingKey(randomBytes(32).toString('hex')).then(hex => Buffer.from(hex, 'hex'));
    // A database that cannot be reached now may be reached by the next request.
    reading.catch(() => {
      reading = null;
    });
    return reading;
  };

  return {
    async linkTo({ account }, { sessionId, kind, id }) {
      const expiry = Math.floor(clock.now() / 1_000) + LINK_LIFETIME_SECONDS;
      const token = await new SignJWT({ account: account.id, session: sessionId, kind, file: id })
        .setProtectedHeader({ alg: ALGORITHM })
        .setExpirationTime(expiry)
        .sign(await signingKey());
      return `/files/${token}`;
    },
    async resolveLink(token) {
      const key = await signingKey();
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        currentDate: new Date(clock.now()),
      }).catch(error => {
        if (error instanceof errors.JWTExpired)
          throw new Failure('LINK_EXPIRED', 'This link was valid for 15 minutes. Read the address again.');
        throw new Failure('NOT_FOUND', 'There is no file at this address.', { cause: error });
      });
      const { account: accountId, session: sessionId, kind, file: id } = claims.parse(payload);
      const [account] = await accounts.accounts([accountId]);
      if (account == null) throw new Failure('NOT_FOUND', 'There is no file at this address.');
      return { viewer: { account, keyId: 'link', scopes: ['read'] }, file: { sessionId, kind, id } };
    },
  };
}
