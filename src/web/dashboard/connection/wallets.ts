/** Ethereum wallets in this browser: discovery by EIP-6963, requests by EIP-1193. */

export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
}

interface Announcement extends Event {
  readonly detail?: { readonly info?: { uuid?: unknown; name?: unknown }; readonly provider?: Provider };
}

/** Calls `onWallet` once for each installed wallet, also for one that announces itself later. If none does at once: for `window.ethereum`. */
export function findWallets(onWallet: (wallet: Wallet) => void): void {
  const known = new Set<string>();
  window.addEventListener('eip6963:announceProvider', (event: Announcement) => {
    const { info, provider } = event.detail ?? {};
    const id = String(info?.uuid ?? '');
    if (provider === undefined || known.has(id)) return;
    known.add(id);
    onWallet({ id, name: String(info?.name ?? 'wallet').slice(0, 40), provider });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const injected = (window as { ethereum?: Provider }).ethereum;
  if (known.size === 0 && injected !== undefined)
    onWallet({ id: 'injected', name: 'wallet', provider: injected });
}

/** Asks the user for access to the wallet, and returns its first address. @throws the wallet's error; code 4001 when the user refuses (EIP-1193) */
export async function requestAddress({ provider }: Wallet): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const [address] = Array.isArray(accounts) ? accounts : [];
  if (typeof address !== 'string') throw new Error('The wallet has no account.');
  return address;
}

/** Asks the user to sign a message (EIP-191) with the wallet. Returns the signature. @throws the wallet's error */
export async function signMessage({ provider }: Wallet, message: string, address: string): Promise<string> {
  const bytes = new TextEncoder().encode(message);
  const hex = `0x${[...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
  return String(await provider.request({ method: 'personal_sign', params: [hex, address] }));
}
