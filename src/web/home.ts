/** The home page: wallets are connected, keys made. */
import { type Account, account, challenge, Refused, signIn, signOut, visiting } from './calls.ts';
import { copyButton, el } from './dom.ts';
import { keysView } from './keysView.ts';
import { addressOf, findWallets, sign, type Wallet } from './wallets.ts';

const place = document.getElementById('wallet');
const status = el('p', { role: 'status', 'aria-live': 'polite' });
const body = el('div', { tabindex: '-1' });
const shown = el('div', { 'aria-live': 'polite' });
const wallets: Wallet[] = [];
let signedIn = false;

function say(text: string, wrong = false): void {
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

function attempt(work: () => Promise<void>): void {
  say('');
  work()
    .then(show)
    .catch((error: unknown) => say(inWords(error), true));
}

function inWords(error: unknown): string {
  // EIP-1193: the user refused.
  if ((error as { code?: unknown } | null)?.code === 4001)
    return 'You refused in your wallet. Nothing was done.';
  return error instanceof Error ? error.message : 'The wallet could not do it.';
}

async function connect(wallet: Wallet): Promise<void> {
  say(`Waiting for ${wallet.name}…`);
  const address = await addressOf(wallet);
  const message = await challenge(address);
  await signIn(message, await sign(wallet, message, address));
  say('You are signed in.');
}

/** Shows something else; whoever is here by keyboard goes on from its beginning. */
function turnTo(...views: readonly Node[]): void {
  const wasHere = body.contains(document.activeElement);
  body.replaceChildren(...views);
  if (wasHere) body.focus();
}

/** The account where somebody is signed in, the wallets where not. */
async function show(): Promise<void> {
  try {
    const present = (await visiting()) ? await account() : null;
    if (present === null) {
      signedIn = false;
      turnTo(walletsView());
      return;
    }
    signedIn = true;
    turnTo(accountView(present), keysView(present, { attempt, shown }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    signedIn = false;
    turnTo(walletsView());
  }
}

const most = (figure: number | null, unit: string): string =>
  figure === null ? `any number of ${unit}` : `${figure} ${unit}`;

const accountView = ({ name, tier, balanceMicros, limits }: Account): HTMLElement =>
  el(
    'p',
    {},
    el('code', {}, `${name.slice(0, 6)}…${name.slice(-4)}`),
    ` · ${tier.toLowerCase().replaceAll('_', ' ')}: ${most(limits.sessionsAtOnce, 'sessions at once')}, ${most(limits.requestsPerMinute, 'requests a minute')}, ${most(limits.browserMinutesPerDay, 'browser minutes a day')}`,
    tier === 'PAY_AS_YOU_GO' ? ` · balance ${(balanceMicros / 1_000_000).toFixed(2)} ` : ' ',
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        onclick: () =>
          attempt(async () => {
            await signOut();
            shown.replaceChildren();
            say('You are signed out.');
          }),
      },
      'Sign out',
    ),
  );

const walletsView = (): HTMLElement =>
  wallets.length === 0
    ? el(
        'p',
        {},
        'No wallet was found in this browser. Install one and load this page again, or ask whoever runs this service for a key: ',
        el('code', {}, 'npm run keys -- create'),
        '.',
      )
    : el(
        'div',
        { class: 'wallets' },
        ...wallets.map(wallet =>
          el(
            'button',
            { type: 'button', onclick: () => attempt(() => connect(wallet)) },
            wallet.name === 'wallet' ? 'Connect wallet' : `Connect ${wallet.name}`,
          ),
        ),
      );

for (const block of document.querySelectorAll<HTMLElement>('[data-copy]'))
  block.before(copyButton(() => block.textContent ?? '', 'Copy these calls'));

if (place !== null) {
  place.replaceChildren(status, body);
  findWallets(wallet => {
    wallets.push(wallet);
    if (!signedIn) turnTo(walletsView());
  });
  attempt(async () => {});
}
