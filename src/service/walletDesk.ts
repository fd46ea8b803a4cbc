/** Signing in with a wallet, and the visits that follow. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Account, Viewer } from '../domain/account.ts';
import { Failure } from '../domain/failures.ts';
import type { AccountStore, Clock } from '../domain/ports.ts';
import type { RequestLimiter } from '../domain/requestLimiter.ts';
import type { WalletMessage, WalletReader, WalletStore } from '../domain/wallet.ts';

/** Signing in as the doors call it. `origin` is the service's own, as its callers write it: `https://pagespace.example`. */
export interface WalletSignIn {
  /**
   * The message for a wallet to sign. It can be used once, within five minutes.
   * @param caller the caller's network address, for the limit of such messages
   * @throws Failure VALIDATION_ERROR when the wallet's address is none; RATE_LIMITED
   */
  challenge(origin: string, address: string, caller: string): Promise<string>;
  /**
   * Begins a visit of the wallet's account, which is made with the first.
   * @returns the cookie's token and for how many seconds it is good
   * @throws Failure WALLET_REFUSED
   */
  signInByWallet(
    origin: string,
    signed: { readonly message: string; readonly signature: string },
  ): Promise<{ readonly token: string; readonly seconds: number }>;
  /** Who visits with this token. @throws Failure WALLET_REFUSED when the visit is over */
  visitor(token: string): Promise<Viewer>;
  /** Ends the visit. Idempotent. */
  signOut(token: string): Promise<void>;
}

/** What the desk works with. */
export interface WalletParts {
  readonly wallets: WalletStore;
  readonly walletReader: WalletReader;
  /** The chain that messages must name (EIP-155). */
  readonly walletChainId: number;
}

const MESSAGE_MS = 300_000;
/** Clocks of wallets are not ours, but the message's times are: this much only. */
const SKEW_MS = 30_000;
const VISIT_SECONDS = 43_200;
const MESSAGES_A_MINUTE = 30;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export function walletDesk({
  wallets,
  walletReader,
  walletChainId,
  accounts,
  limiter,
  clock,
}: WalletParts & {
  readonly accounts: AccountStore;
  readonly limiter: RequestLimiter;
  readonly clock: Clock;
}): WalletSignIn {
  /** @throws Failure WALLET_REFUSED saying which rule the message breaks */
  function check(message: WalletMessage, origin: string): void {
    const now = clock.now();
    const { host } = new URL(origin);
    if (message.domain !== host || !isWithin(message.uri, origin))
      throw refused(`The message is for ${message.domain.slice(0, 100)}, not for ${host}.`);
    if (message.chainId !== walletChainId)
      throw refused(`The message is for chain ${message.chainId}, not for chain ${walletChainId}.`);
    if (message.expiresAt <= now) throw refused('The message has expired. Connect again.');
    if (message.issuedAt > now + SKEW_MS) throw refused('The message is of a time to come.');
  }

  return {
    async challenge(origin, address, caller) {
      const left = await limiter.take(`wallet ${caller}`, 1, MESSAGES_A_MINUTE);
      if (!left.granted)
        throw new Failure(
          'RATE_LIMITED',
          `Too many sign-ins were begun. Wait ${left.resetSeconds} seconds.`,
          {
            retryAfterSeconds: left.resetSeconds,
          },
        );
      const issuedAt = clock.now();
      const expiresAt = issuedAt + MESSAGE_MS;
      const nonce = randomBytes(16).toString('hex');
      const { host } = new URL(origin);
      const facts = {
        address,
        chainId: walletChainId,
        domain: host,
        uri: origin,
        nonce,
        issuedAt,
        expiresAt,
      };
      const text = await walletReader.write(facts);
      if (text === null) {
        const message = 'must be an Ethereum address: 0x and 40 hexadecimal digits';
        throw new Failure('VALIDATION_ERROR', `address ${message}.`, {
          errors: [{ path: 'address', message }],
        });
      }
      await wallets.keepNonce(nonce, expiresAt, issuedAt);
      return text;
    },

    async signInByWallet(origin, { message: text, signature }) {
      const message = await walletReader.read(text);
      if (message === null) throw refused('This is no message of a sign-in.');
      check(message, origin);
      if ((await walletReader.write(message)) !== text)
        throw refused('The message is not as it was written here. Connect again.');
      // Gone before it is known whether the signature is good: a nonce is tried once.
      if (!(await wallets.takeNonce(message.nonce, clock.now())))
        throw refused('The message was used already, or was not made here. Connect again.');
      if (!(await walletReader.isSignedBy(text, signature, message.address)))
        throw refused('The signature is not of this message by this wallet.');
      const now = clock.now();
      const address = message.address.toLowerCase();
      const fresh: Account = { id: randomUUID(), name: message.address, tier: 'free', createdAt: now };
      const account = await wallets.accountOfWallet(address, fresh);
      const token = randomBytes(32).toString('base64url');
      const expiresAt = now + VISIT_SECONDS * 1_000;
      await wallets.keepVisit({ hash: hashOf(token), accountId: account.id, address, expiresAt }, now);
      return { token, seconds: VISIT_SECONDS };
    },

    async visitor(token) {
      const visit = await wallets.visit(hashOf(token));
      const [account] =
        visit === null || visit.expiresAt <= clock.now() ? [] : await accounts.accounts([visit.accountId]);
      if (visit === null || account == null) throw refused('You are not signed in any more. Connect again.');
      return { account, keyId: `wallet:${visit.address}`, scopes: ['read', 'operate', 'admin'] };
    },

    signOut: token => wallets.endVisit(hashOf(token)),
  };
}

const isWithin = (uri: string, origin: string): boolean =>
  URL.canParse(uri) && new URL(uri).origin === origin;

const refused = (detail: string): Failure => new Failure('WALLET_REFUSED', detail);
