/** All accounts of the service, with the credit that the operator gives them. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { errorText, request } from '../connection/http.ts';
import type { DashAccountsQuery } from '../generated/operations.ts';
import { Button } from '../parts/button.tsx';
import { dateText, micros, words } from '../parts/format.ts';
import { FormDialog } from '../parts/modal.tsx';
import { notify } from '../parts/notices.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Columns } from './columns.tsx';

type AccountRow = DashAccountsQuery['accounts']['edges'][number]['node'];

const PAGE_SIZE = 50;

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
          <Columns names={['account', 'tier', 'wide-only:created', '#sessions', '#balance', '(Credit)']} />
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
                    <Button label={`Credit ${account.name}`} onClick={() => setCredited(account)}>
                      Credit
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {error !== null && <Failed message={error} retry={() => read(rows.length === 0 ? '' : (next ?? ''))} />}
      {error === null && next !== null && next !== '' && <Button onClick={() => read(next)}>More</Button>}
      {credited !== null && (
        <FormDialog
          title={`Credit ${credited.name}`}
          action="Credit"
          doing="Crediting…"
          onClose={() => setCredited(null)}
          submit={async text => {
            const amountMicros = Math.round(Number(text('amount')) * 1_000_000);
            const input = { accountId: credited.accountId, amountMicros, reference: text('reference') };
            const { creditAccount } = await request('DashCredit', { input });
            notify(`The balance of ${credited.name} is ${micros(creditAccount.balanceMicros)}.`);
            void read('');
          }}
        >
          {credited.tier === 'FREE' && <p>The first credit makes it a paying account.</p>}
          <label>
            Amount
            <input name="amount" type="number" min="0.000001" step="any" required />
          </label>
          <label>
            Reference, counted once: an invoice or a transaction
            <input name="reference" type="text" maxLength={200} required />
          </label>
        </FormDialog>
      )}
    </section>
  );
}
