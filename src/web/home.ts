/** The script of the home page: wallet sign-in and API keys. */
import {
  type Account,
  ApiError,
  fetchAccount,
  isSignedIn,
  requestChallenge,
  signIn,
  signOut,
} from './apiClient.ts';
import { copyButton, createElement } from './createElement.ts';
import { keysView } from './keysView.ts';
import { findWallets, requestAddress, signMessage, type Wallet } from './wallets.ts';

const container = document.getElementById('wallet');
const statusLine = createElement('p', { role: 'status', 'aria-live': 'polite' });
const content = createElement('div', { tabindex: '-1' });
const newKeyArea = createElement('div', { 'aria-live': 'polite' });
const wallets: Wallet[] = [];
let signedIn = false;

function showStatus(text: string, wrong = false): void {
  statusLine.textContent = text;
  statusLine.classList.toggle('wrong', wrong);
}

/** Runs `work`, then shows the account again, or the error if `work` fails. */
function run(work: () => Promise<void>): void {
  showStatus('');
  work()
    .then(render)
    .catch((error: unknown) => showStatus(errorText(error), true));
}

function errorText(error: unknown): string {
  // EIP-1193: the user refused the request.
  if ((error as { code?: unknown } | null)?.code === 4001)
    return 'You refused in your wallet. Nothing has changed.';
  return error instanceof Error ? error.message : 'The wallet reported an error.';
}

async function connect(wallet: Wallet): Promise<void> {
  showStatus(`Waiting for ${wallet.name}…`);
  const address = await requestAddress(wallet);
  const message = await requestChallenge(address);
  await signIn(message, await signMessage(wallet, message, address));
  showStatus('You are signed in.');
}

/** Replaces the content of the wallet section. Keyboard focus that was inside moves to the start of the new content. */
function showViews(...views: readonly Node[]): void {
  const hadFocus = content.contains(document.activeElement);
  content.replaceChildren(...views);
  if (hadFocus) content.focus();
}

/** Shows the account and its keys if the user is signed in, otherwise the buttons that connect a wallet. */
async function render(): Promise<void> {
  try {
    const account = (await isSignedIn()) ? await fetchAccount() : null;
    if (account === null) {
      signedIn = false;
      showViews(walletsView());
      return;
    }
    signedIn = true;
    showViews(accountView(account), keysView(account, { run, newKeyArea }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    signedIn = false;
    showViews(walletsView());
  }
}

const limitText = (limit: number | null, unit: string): string =>
  limit === null ? `unlimited ${unit}` : `${limit} ${unit}`;

const accountView = ({ name, tier, balanceMicros, limits }: Account): HTMLElement =>
  createElement(
    'p',
    {},
    createElement('code', {}, `${name.slice(0, 6)}…${name.slice(-4)}`),
    ` · ${tier.toLowerCase().replaceAll('_', ' ')}: ${limitText(limits.sessionsAtOnce, 'sessions at once')}, ${limitText(limits.requestsPerMinute, 'requests per minute')}, ${limitText(limits.browserMinutesPerDay, 'browser minutes per day')}`,
    tier === 'PAY_AS_YOU_GO' ? ` · balance ${(balanceMicros / 1_000_000).toFixed(2)} ` : ' ',
    createElement(
      'button',
      {
        type: 'button',
        class: 'quiet',
        onclick: () =>
          run(async () => {
            await signOut();
            newKeyArea.replaceChildren();
            showStatus('You are signed out.');
          }),
      },
      'Sign out',
    ),
  );

const walletsView = (): HTMLElement =>
  wallets.length === 0
    ? createElement(
        'p',
        {},
        'No wallet was found in this browser. Install one and reload this page, or ask the operator of this service for a key: ',
        createElement('code', {}, 'npm run keys -- create'),
        '.',
      )
    : createElement(
        'div',
        { class: 'wallets' },
        ...wallets.map(wallet =>
          createElement(
            'button',
            { type: 'button', onclick: () => run(() => connect(wallet)) },
            wallet.name === 'wallet' ? 'Connect wallet' : `Connect ${wallet.name}`,
          ),
        ),
      );

for (const block of document.querySelectorAll<HTMLElement>('[data-copy]'))
  block.before(copyButton(() => block.textContent ?? '', 'Copy these calls'));

if (container !== null) {
  container.replaceChildren(statusLine, content);
  findWallets(wallet => {
    wallets.push(wallet);
    if (!signedIn) showViews(walletsView());
  });
  run(async () => {});
}
