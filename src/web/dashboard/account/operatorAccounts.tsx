/** All accounts of the service, with the credit that the operator gives them. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import type { DashAccountsQuery } from '../generated/operations.ts';
import { dateText, micros, words } from '../parts/format.ts';
import { Modal } from '../parts/modal.tsx';
import { notify } from '../parts/notices.tsx';
import { Failed, Loading } from '../parts/states.tsx';

type AccountRow = DashAccountsQuery['accounts']['edges'][number]['node'];

const PAGE_SIZE = 50;

/** The accounts, page by page. */
export function Accounts(): JSX.Element {
  const [rows, setRows] = useState<readonly AccountRow[]>([]);
  const [next, setNext] = useState<string | null>('');
  const [error, setError] = useState<string | null>(null);
  const [credited, setCredited] = useState<AccountRow | null>(null);
  const read = useCallback(async (after: string) => {
    setError(null);
    try {
      const { accounts } = await request('DashAccounts', {
        first: PAGE_SIZE,
        after: after === '' ? null : after,
      });
      const page = accounts.edges.map(({ node }) => node);
      setRows(before => (after === '' ? page : [...before, ...page]));
      setNext(accounts.pageInfo.hasNextPage ? (accounts.pageInfo.endCursor ?? null) : null);
    } catch (failure) {
      setError(errorText(failure));
    }
  }, []);
  useEffect(() => void read(''), [read]);
  return (
    <section class="card">
      <h2>Accounts</h2>
      {rows.length === 0 && error === null && <Loading what="the accounts" />}
      {rows.length > 0 && (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">account</th>
              <th scope="col">tier</th>
              <th scope="col" class="wide-only">
                created
              </th>
              <th scope="col" class="number">
                sessions
              </th>
              <th scope="col" class="number">
                balance
              </th>
              <th scope="col">
                <span class="unseen">Credit</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(account => (
              <tr key={account.accountId}>
                <th scope="row" class="long-name">
                  <bdi>{account.name}</bdi>
                </th>
                <td>{words(account.tier)}</td>
                <td class="wide-only">{dateText(account.createdAt)}</td>
                <td class="number">{account.activeSessions}</td>
                <td class="number">
                  {account.tier === 'PAY_AS_YOU_GO' ? micros(account.balanceMicros) : '–'}
                </td>
                <td class="number">
                  {account.tier !== 'LOCAL' && (
                    <button
                      type="button"
                      class="button"
                      aria-label={`Credit ${account.name}`}
                      onClick={() => setCredited(account)}
                    >
                      Credit
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {error !== null && <Failed message={error} retry={() => read(rows.length === 0 ? '' : (next ?? ''))} />}
      {error === null && next !== null && next !== '' && (
        <button type="button" class="button" onClick={() => read(next)}>
          More
        </button>
      )}
      {credited !== null && (
        <CreditDialog
          account={credited}
          onClose={() => setCredited(null)}
          onCredited={() => {
            setCredited(null);
            void read('');
          }}
        />
      )}
    </section>
  );
}

function CreditDialog({
  account,
  onClose,
  onCredited,
}: {
  account: AccountRow;
  onClose: () => void;
  onCredited: () => void;
}): JSX.Element {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const credit = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    setBusy(true);
    setError(null);
    try {
      const { creditAccount } = await request('DashCredit', {
        input: {
          accountId: account.accountId,
          amountMicros: Math.round(Number(fields.get('amount')) * 1_000_000),
          reference: String(fields.get('reference') ?? ''),
        },
      });
      notify(`The balance of ${account.name} is ${micros(creditAccount.balanceMicros)}.`);
      onCredited();
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
    }
  };
  return (
    <Modal title={`Credit ${account.name}`} onClose={onClose}>
      <form
        class="fields"
        onSubmit={event => {
          event.preventDefault();
          void credit(event.currentTarget);
        }}
      >
        {account.tier === 'FREE' && <p>The first credit makes it a paying account.</p>}
        <label>
          Amount
          <input name="amount" type="number" min="0.000001" step="any" required />
        </label>
        <label>
          Reference, counted once: an invoice or a transaction
          <input name="reference" type="text" maxLength={200} required />
        </label>
        {error !== null && (
          <p class="wrong" role="alert">
            {error}
          </p>
        )}
        <footer>
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? 'Crediting…' : 'Credit'}
          </button>
        </footer>
      </form>
    </Modal>
  );
}
