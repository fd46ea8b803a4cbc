/** The wallets of this browser: found as EIP-6963 says, asked as EIP-1193 says. */

/** EIP-1193. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A wallet that has announced itself. */
export interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly provider: Provider;
}

interface Announcement extends Event {
  readonly detail?: { readonly info?: { uuid?: unknown; name?: unknown }; readonly provider?: Provider };
}

/** Tells of each wallet once, those that come late too; of `window.ethereum` where no wallet announces itself. */
export function findWallets(found: (wallet: Wallet) => void): void {
  const known = new Set<string>();
  window.addEventListener('eip6963:announceProvider', (event: Announcement) => {
    const { info, provider } = event.detail ?? {};
    const id = String(info?.uuid ?? '');
    if (provider === undefined || known.has(id)) return;
    known.add(id);
    found({ id, name: String(info?.name ?? 'wallet').slice(0, 40), provider });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  const injected = (window as { ethereum?: Provider }).ethereum;
  if (known.size === 0 && injected !== undefined)
    found({ id: 'injected', name: 'wallet', provider: injected });
}

/** The address that its owner lets us see. @throws whatever the wallet throws; EIP-1193 code 4001 when refused */
export async function requestAddress({ provider }: Wallet): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const [address] = Array.isArray(accounts) ? accounts : [];
  if (typeof address !== 'string') throw new Error('The wallet has no account.');
  return address;
}

/** Has a text signed (EIP-191). */
export async function signMessage({ provider }: Wallet, message: string, address: string): Promise<string> {
  const bytes = new TextEncoder().encode(message);
  const hex = `0x${[...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
  return String(await provider.request({ method: 'personal_sign', params: [hex, address] }));
}
