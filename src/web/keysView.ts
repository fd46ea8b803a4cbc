/** The part of the home page that creates, lists and revokes API keys. */
import { type Account, type ApiKey, createKey, revokeKey } from './apiClient.ts';
import { copyButton, createElement } from './createElement.ts';

const dateText = (time: string | null, otherwise: string): string => time?.slice(0, 10) ?? otherwise;

const SCOPES = [
  ['READ', 'read: queries and subscriptions', true],
  ['OPERATE', 'operate: also sessions', true],
  ['ADMIN', 'admin: also keys', false],
] as const;

const EXPIRIES = [
  ['', 'never'],
  ['7', 'in a week'],
  ['30', 'in 30 days'],
  ['365', 'in a year'],
] as const;

/** Dependencies of `keysView` on the home page. */
export interface KeysViewDeps {
  /** Runs `work`, then shows the account again, or the error if `work` fails. */
  run(work: () => Promise<void>): void;
  /** The element that shows a new key. It stays visible when the account is shown again. */
  readonly newKeyArea: HTMLElement;
}

/** Creates the form for a new API key and the list of the account's keys that are not revoked. */
export function keysView({ keys }: Account, deps: KeysViewDeps): HTMLElement {
  const activeKeys = keys.filter(key => key.revokedAt === null);
  return createElement(
    'div',
    {},
    createElement('h3', {}, 'Create a key'),
    keyForm(deps),
    deps.newKeyArea,
    createElement('h3', {}, 'Keys'),
    activeKeys.length === 0 ? createElement('p', {}, 'No keys yet.') : keyList(activeKeys, deps),
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
      createElement('legend', {}, 'Scopes'),
      ...boxes.map((box, index) => createElement('label', {}, box, ` ${SCOPES[index]?.[1]}`)),
    ),
    createElement('label', {}, 'Expires ', expiry),
    createElement('button', { type: 'submit' }, 'Create key'),
  );
  form.addEventListener('submit', event => {
    event.preventDefault();
    run(async () => {
      const scopes = boxes.filter(box => box.checked).map(box => box.value);
      const expiresInDays = expiry.value === '' ? null : Number(expiry.value);
      const key = await createKey({ name: name.value, scopes, expiresInDays });
      newKeyArea.replaceChildren(
        createElement('p', {}, 'Your new key. Copy it now: it is shown only once.'),
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
          `${key.scopes.join(', ').toLowerCase()} · created ${dateText(key.createdAt, '')} · used ${dateText(key.lastUsedAt, 'never')} · expires ${dateText(key.expiresAt, 'never')}`,
        ),
        createElement(
          'button',
          {
            type: 'button',
            'aria-label': `Revoke ${key.name}, ${key.prefix}`,
            onclick: () =>
              run(async () => {
                if (!window.confirm(`Revoke "${key.name}"? Programs that use it lose access immediately.`))
                  return;
                await revokeKey(key.id);
              }),
          },
          'Revoke',
        ),
      ),
    ),
  );
