/** The account's keys on the page: made, shown once, listed, revoked. */
import { type Account, type ApiKey, createKey, revokeKey } from './apiClient.ts';
import { copyButton, createElement } from './createElement.ts';

const dateText = (time: string | null, otherwise: string): string => time?.slice(0, 10) ?? otherwise;

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
export interface KeysViewDeps {
  /** Does something that may fail, says so if it does, and shows the account anew. */
  run(work: () => Promise<void>): void;
  /** Where a new key is shown; it stays when the account is shown anew. */
  readonly newKeyArea: HTMLElement;
}

export function keysView({ keys }: Account, around: KeysViewDeps): HTMLElement {
  const alive = keys.filter(key => key.revokedAt === null);
  return createElement(
    'div',
    {},
    createElement('h3', {}, 'Make a key'),
    keyForm(around),
    around.newKeyArea,
    createElement('h3', {}, 'Keys'),
    alive.length === 0 ? createElement('p', {}, 'There are none yet.') : keyList(alive, around),
  );
}

function keyForm({ run, newKeyArea }: KeysViewDeps): HTMLFormElement {
  const name = createElement('input', {
    name: 'name',
    required: true,
    maxlength: '100',
    value: 'my program',
  });
  const boxes = SCOPES.map(([scope, , on]) =>
    createElement('input', { type: 'checkbox', name: 'scope', value: scope, checked: on }),
  );
  const expiry = createElement(
    'select',
    { name: 'expiry' },
    ...EXPIRIES.map(([value, label]) => createElement('option', { value }, label)),
  );
  const form = createElement(
    'form',
    { class: 'keys' },
    createElement('label', {}, 'Name ', name),
    createElement(
      'fieldset',
      {},
      createElement('legend', {}, 'It may'),
      ...boxes.map((box, index) => createElement('label', {}, box, ` ${SCOPES[index]?.[1]}`)),
    ),
    createElement('label', {}, 'It expires ', expiry),
    createElement('button', { type: 'submit' }, 'Make key'),
  );
  form.addEventListener('submit', event => {
    event.preventDefault();
    run(async () => {
      const scopes = boxes.filter(box => box.checked).map(box => box.value);
      const expiresInDays = expiry.value === '' ? null : Number(expiry.value);
      const key = await createKey({ name: name.value, scopes, expiresInDays });
      newKeyArea.replaceChildren(
        createElement('p', {}, 'Your new key. Keep it now: it is shown this once.'),
        createElement(
          'p',
          { class: 'secret' },
          createElement('code', {}, key),
          copyButton(() => key, 'Copy the new key'),
        ),
      );
    });
  });
  return form;
}

const keyList = (keys: readonly ApiKey[], { run }: KeysViewDeps): HTMLElement =>
  createElement(
    'ul',
    { class: 'keylist' },
    ...keys.map(key =>
      createElement(
        'li',
        {},
        createElement('strong', {}, key.name),
        createElement('code', {}, `${key.prefix}…`),
        createElement(
          'span',
          {},
          `${key.scopes.join(', ').toLowerCase()} · made ${dateText(key.createdAt, '')} · used ${dateText(key.lastUsedAt, 'never')} · expires ${dateText(key.expiresAt, 'never')}`,
        ),
        createElement(
          'button',
          {
            type: 'button',
            'aria-label': `Revoke ${key.name}, ${key.prefix}`,
            onclick: () =>
              run(async () => {
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
