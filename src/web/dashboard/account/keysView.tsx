/** The API keys of the account: made, shown once with the first calls, and revoked. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../connection/http.ts';
import { useQuery } from '../connection/useResource.ts';
import type { DashKeysQuery } from '../generated/operations.ts';
import { Button, Check } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyButton.tsx';
import { ageText, dateText, micros, now } from '../parts/format.ts';
import { FormDialog } from '../parts/modal.tsx';
import { notify } from '../parts/notices.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';

type Key = DashKeysQuery['viewer']['account']['keys'][number];

const SCOPES = [
  ['READ', 'read sessions and usage'],
  ['OPERATE', 'run sessions'],
  ['ADMIN', 'make and revoke keys'],
] as const;
type Scope = (typeof SCOPES)[number][0];

export function KeysView(): JSX.Element {
  const { data, error, isLoading, reload } = useQuery('DashKeys', {});
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const isAdmin = data?.viewer.scopes.includes('ADMIN') === true;
  const keys = data?.viewer.account.keys ?? [];
  const isEnded = ({ revokedAt, expiresAt }: Key) =>
    revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) < now.value);
  const shown = keys.filter(key => showsEnded || !isEnded(key)).toReversed();
  return (
    <section class="view" aria-labelledby="view-title">
      <header class="view-head">
        <h1 id="view-title">Keys</h1>
        <span class="count">{data === null ? '' : shown.length}</span>
        <span class="spread" />
        <Check isOn={showsEnded} set={setShowsEnded}>
          Also ended
        </Check>
        <Button kind="primary" icon="plus" disabled={!isAdmin} onClick={() => setMaking(true)}>
          Create
        </Button>
      </header>
      {data !== null && !isAdmin && (
        <p class="banner">This key lacks the scope admin: it can create and revoke no key.</p>
      )}
      {made !== null && <NewKey value={made} close={() => setMade(null)} />}
      {data === null ? (
        error !== null ? (
          <Failed message={error} retry={reload} />
        ) : (
          isLoading && <Loading what="the keys" />
        )
      ) : shown.length === 0 ? (
        <Empty icon="keys" title="No keys" />
      ) : (
        <div class="scroll page-body">
          <ul class="keys">
            {shown.map(key => (
              <li key={key.id} class={isEnded(key) ? 'ended' : ''}>
                <span class="key-name">
                  <strong>
                    <bdi>{key.name}</bdi>
                  </strong>
                  {key.id === data.viewer.keyId && <span class="chip">this visit</span>}
                  <code class="sub">{key.prefix}…</code>
                </span>
                <span class="key-scopes">
                  {key.scopes.map(scope => (
                    <span key={scope} class="chip">
                      {scope.toLowerCase()}
                    </span>
                  ))}
                </span>
                <span class="sub" title={`Created ${dateText(key.createdAt)}`}>
                  {key.lastUsedAt === null ? 'never used' : `used ${ageText(key.lastUsedAt, now.value)} ago`}
                </span>
                <span class="sub">
                  {key.revokedAt !== null
                    ? 'revoked'
                    : key.expiresAt === null
                      ? 'no end'
                      : `ends ${dateText(key.expiresAt)}`}
                </span>
                <span class="sub">
                  spent {micros(key.spentMicros)}
                  {key.spendCapMicros !== null && ` of ${micros(key.spendCapMicros)}`}
                </span>
                <span class="key-tools">
                  <a
                    class="button quiet"
                    href={`/dashboard/sessions?key=${key.id}`}
                    aria-label={`Sessions of ${key.name}`}
                  >
                    Sessions
                  </a>
                  <Button
                    kind="danger"
                    disabled={!isAdmin || isEnded(key)}
                    label={`Revoke ${key.name}, ${key.prefix}`}
                    onClick={() => setRevoking(key)}
                  >
                    Revoke
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {isMaking && (
        <CreateDialog
          onClose={() => setMaking(false)}
          onMade={key => {
            setMade(key);
            void reload();
          }}
        />
      )}
      {revoking !== null && (
        <FormDialog
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          kind="danger"
          onClose={() => setRevoking(null)}
          submit={async () => {
            await request('DashRevokeKey', { id: revoking.id });
            notify(`${revoking.name} is revoked.`);
            void reload();
          }}
        >
          <p>
            Programs that use <code>{revoking.prefix}…</code> lose access immediately. This cannot be undone.
          </p>
        </FormDialog>
      )}
    </section>
  );
}

function NewKey({ value, close }: { value: string; close: () => void }): JSX.Element {
  const calls = `export PAGESPACE_URL=${location.origin}\nexport PAGESPACE_API_KEY=${value}\npagespace open example.com`;
  return (
    <section class="new-key" aria-label="The new key">
      <p>
        <strong>Your new key. Copy it now: it is shown only once.</strong>
      </p>
      <p class="secret">
        <code>{value}</code>
        <CopyButton text={value} label="Copy the new key">
          Copy
        </CopyButton>
      </p>
      <pre tabIndex={0}>{calls}</pre>
      <p class="secret">
        <CopyButton text={calls} label="Copy the first calls">
          Copy the calls
        </CopyButton>
        <Button kind="quiet" onClick={close}>
          Done
        </Button>
      </p>
    </section>
  );
}

function CreateDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (key: string) => void;
}): JSX.Element {
  return (
    <FormDialog
      title="Create a key"
      action="Create"
      doing="Creating…"
      onClose={onClose}
      submit={async (text, fields) => {
        const [days, cap] = [text('days'), text('cap')];
        const { createApiKey } = await request('DashCreateKey', {
          input: {
            name: text('name'),
            scopes: fields.getAll('scope') as Scope[],
            expiresInDays: days === '' ? null : Number(days),
            spendCapMicros: cap === '' ? null : Math.round(Number(cap) * 1_000_000),
          },
        });
        onMade(createApiKey.key);
      }}
    >
      <label>
        Name
        <input name="name" type="text" required maxLength={100} placeholder="my program" />
      </label>
      <fieldset>
        <legend>It may</legend>
        {SCOPES.map(([scope, text]) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scope" value={scope} defaultChecked={scope !== 'ADMIN'} /> {text}
          </label>
        ))}
      </fieldset>
      <label>
        Ends
        <select name="days">
          <option value="">never</option>
          <option value="7">in a week</option>
          <option value="30">in 30 days</option>
          <option value="365">in a year</option>
        </select>
      </label>
      <label>
        Spend at most
        <input name="cap" type="number" min="0" step="any" placeholder="no limit" />
      </label>
    </FormDialog>
  );
}
