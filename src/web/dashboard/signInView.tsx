/** The sign-in page: by the one-time link of the terminal, by a key, or by a wallet. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { keepKey, signedOutBecause } from './connection/access.ts';
import { errorText, post, request } from './connection/http.ts';
import { findWallets, requestAddress, signMessage, type Wallet } from './connection/wallets.ts';
import { Button, submits } from './parts/button.tsx';
import { Icon } from './parts/icons.tsx';
import { Loading, Wrong } from './parts/states.tsx';

const WALLET_KEY_DAYS = 1;
/** EIP-1193: the user refused the request. */
const USER_REFUSED = 4001;

/** Takes the token out of the address, so that it is in no history; null if there is none. */
function takeToken(): string | null {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function SignInView(): JSX.Element {
  const [token] = useState(takeToken);
  const [isExchanging, setExchanging] = useState(token !== null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(signedOutBecause.value);
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      const refused = (failure as { readonly code?: unknown } | null)?.code === USER_REFUSED;
      setError(refused ? 'You refused in your wallet. Nothing has changed.' : errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    findWallets(wallet => setWallets(before => [...before, wallet]));
    if (token === null) return;
    void attempt(async () => {
      const { key } = (await post('/dashboard/sign-in', { token })) as { readonly key: string };
      keepKey(key);
    }).finally(() => setExchanging(false));
  }, []);
  const useKey = (key: string) =>
    attempt(async () => {
      await request('DashViewer', {}, key);
      keepKey(key);
    });
  const useWallet = (wallet: Wallet) =>
    attempt(async () => {
      const address = await requestAddress(wallet);
      const { message } = (await post('/wallet/challenge', { address })) as { readonly message: string };
      const signature = await signMessage(wallet, message, address);
      await post('/wallet/sign-in', { message, signature });
      const visit = (await post('/wallet/visit', {})) as { readonly signed_in: boolean };
      if (!visit.signed_in)
        throw new Error('Your browser keeps no cookie of this service. Allow it, and connect again.');
      const input = {
        name: 'dashboard',
        scopes: ['READ', 'OPERATE', 'ADMIN'],
        expiresInDays: WALLET_KEY_DAYS,
      } as const;
      const { createApiKey } = await request(
        'DashCreateKey',
        { input: { ...input, scopes: [...input.scopes] } },
        null,
      );
      keepKey(createApiKey.key);
      // The key is enough from here on.
      await post('/wallet/sign-out', {});
    });

  if (isExchanging) return <Loading what="your account" />;
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <p class="brand">
          <span class="brand-mark" aria-hidden="true" /> pagespace
        </p>
        <h1>See what the agent sees</h1>
        <p class="sub">
          Live pictures of every session, the list of actions on them, and each step as it happened.
        </p>
        <form
          class="fields"
          onSubmit={submits(form => useKey(String(new FormData(form).get('key') ?? '').trim()))}
        >
          <label>
            API key
            <input
              name="key"
              type="password"
              autocomplete="off"
              placeholder="psk_…"
              required
              autofocus
              aria-describedby="key-hint"
            />
          </label>
          <p id="key-hint" class="sub">
            It stays in this tab until you close it.
          </p>
          <Wrong text={error} />
          <Button kind="primary large" type="submit" disabled={isBusy}>
            {isBusy ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        {wallets.length > 0 && (
          <div class="wallet-buttons">
            {wallets.map(wallet => (
              <Button kind="large" key={wallet.id} disabled={isBusy} onClick={() => useWallet(wallet)}>
                {wallet.name === 'wallet' ? 'Connect a wallet' : `Connect ${wallet.name}`}
              </Button>
            ))}
          </div>
        )}
        <p class="sub">
          <Icon name="keys" /> On the machine of the service: <code>npm start</code> prints a link that signs
          you in, and <code>npm run keys -- create</code> a key.
        </p>
      </div>
    </main>
  );
}
