/** The account's keys on the page: made, shown once, listed, revoked. */
import { type Account, createKey, type Key, revokeKey } from './calls.ts';
import { copyButton, el } from './dom.ts';

const day = (time: string | null, otherwise: string): string => time?.slice(0, 10) ?? otherwise;

const SCOPES = [
  ['READ', 'read: queries and subscriptions', true],
  ['OPERATE', 'operate: sessions as well', true],
  ['ADMIN', 'admin: keys as well', false],
] as const;

const EXPIRIES = [
  ['', 'never'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
] as const;

/** What the view asks of the page around it. */
export interface Around {
  /** Does something that may fail, says so if it does, and shows the account anew. */
  attempt(work: () => Promise<void>): void;
  /** Where a new key is shown; it stays when the account is shown anew. */
  readonly shown: HTMLElement;
}

export function keysView({ keys }: Account, around: Around): HTMLElement {
  const alive = keys.filter(key => key.revokedAt === null);
  return el(
    'div',
    {},
    el('h3', {}, 'Make a key'),
    keyForm(around),
    around.shown,
    el('h3', {}, 'Keys'),
    alive.length === 0 ? el('p', {}, 'There are none yet.') : keyTable(alive, around),
  );
}

function keyForm({ attempt, shown }: Around): HTMLFormElement {
  const name = el('input', { name: 'name', required: true, maxlength: '100', value: 'my program' });
  const boxes = SCOPES.map(([scope, , on]) =>
    el('input', { type: 'checkbox', name: 'scope', value: scope, checked: on }),
  );
  const expiry = el(
    'select',
    { name: 'expiry' },
    ...EXPIRIES.map(([value, label]) => el('option', { value }, label)),
  );
  const form = el(
    'form',
    { class: 'keys' },
    el('label', {}, 'Name ', name),
    el(
      'fieldset',
      {},
      el('legend', {}, 'It may'),
      ...boxes.map((box, index) => el('label', {}, box, ` ${SCOPES[index]?.[1]}`)),
    ),
    el('label', {}, 'It expires ', expiry),
    el('button', { type: 'submit' }, 'Make key'),
  );
  form.addEventListener('submit', event => {
    event.preventDefault();
    attempt(async () => {
      const scopes = boxes.filter(box => box.checked).map(box => box.value);
      const expiresInDays = expiry.value === '' ? null : Number(expiry.value);
      const key = await createKey({ name: name.value, scopes, expiresInDays });
      shown.replaceChildren(
        el('p', {}, 'Your new key. Keep it now: it is shown this once.'),
        el(
          'p',
          { class: 'secret' },
          el('code', {}, key),
          copyButton(() => key, 'Copy the new key'),
        ),
      );
    });
  });
  return form;
}

const keyTable = (keys: readonly Key[], { attempt }: Around): HTMLElement =>
  el(
    'ul',
    { class: 'keylist' },
    ...keys.map(key =>
      el(
        'li',
        {},
        el('strong', {}, key.name),
        el('code', {}, `${key.prefix}…`),
        el(
          'span',
          {},
          `${key.scopes.join(', ').toLowerCase()} · made ${day(key.createdAt, '')} · used ${day(key.lastUsedAt, 'never')} · expires ${day(key.expiresAt, 'never')}`,
        ),
        el(
          'button',
          {
            type: 'button',
            'aria-label': `Revoke ${key.name}, ${key.prefix}`,
            onclick: () =>
              attempt(async () => {
                if (!window.confirm(`Revoke "${key.name}"? Programs that use it are refused at once.`))
                  return;
                await revokeKey(key.id);
              }),
          },
          'Revoke',
        ),
      ),
    ),
  );
