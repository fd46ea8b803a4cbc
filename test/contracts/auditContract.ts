/** The contract of the audit of every Store: the faults that it reports. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transition } from '../../src/domain/session/sessionTransition.ts';
import type { Store } from '../../src/store/store.ts';
import { alice, created, key, meter, observed, session } from './storeSamples.ts';

/** A store, and a way to write to its tables beside it. */
export interface OpenedStore {
  readonly store: Store;
  readonly run: (statement: string) => Promise<unknown>;
}

/** Runs the contract over a store; `open` makes an empty one. */
export function describeAuditContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the audit on ${name}`, () => {
    let store: Store;
    let run: (statement: string) => Promise<unknown>;
    beforeEach(async () => {
      ({ store, run } = await open());
      await store.accounts.createAccount(alice);
      await store.accounts.createKey(key('k'));
      await store.ledger.credit({ accountId: alice.id, reference: 'r', amountMicros: 5_000, at: 2 });
      const charge = {
        operationId: 'o',
        accountId: alice.id,
        sessionId: 's',
        keyId: 'k',
        kind: 'observe',
        at: 60_000,
        browserMs: 600,
        priceMicros: 520,
        minuteMicros: 2_000,
      } as const;
      const idle = { ...charge, operationId: 's', kind: 'idle', browserMs: 100, priceMicros: 4 } as const;
      const at = { browserMs: 700, unchargedMs: 0, unchargedMicros: 0 };
      await store.sessions.commit({
        session: transition(session('s'), { type: 'close', at: 60_000 }),
        events: [created(), observed()],
        ledger: [charge, idle],
        meter: { ...meter, ...at },
      });
    });
    afterEach(() => store.close());

    const brokenRules = async () => [
      ...new Set((await store.auditLedger()).findings.map(({ rule }) => rule)),
    ];

    it('the audit log finds a changed row, a removed row and an added row, and names the first that is wrong', async () => {
      const { auditLog } = store;
      const record = { at: 7, actor: 'k', action: 'vault.fill', subject: 'shop.password' } as const;
      // Rows that are added at once follow one another, too.
      await Promise.all(
        [1, 2, 3, 4].map(step => auditLog.append(alice.id, { ...record, details: { step } })),
      );
      const clean = await auditLog.check();
      expect(clean).toMatchObject({ rows: 4, heads: [{ accountId: alice.id, seq: 4 }], broken: [] });
      expect((await auditLog.entries(alice.id, 3, 1)).map(({ seq }) => seq)).toEqual([2]);
      await run("update audit_log set subject = 'shop.passwore' where seq = 2");
      expect((await auditLog.check()).broken).toMatchObject([{ accountId: alice.id, seq: 2 }]);
      await run("update audit_log set subject = 'shop.password' where seq = 2");
      expect(await auditLog.check()).toEqual(clean);
      await run('delete from audit_log where seq = 3');
      expect((await auditLog.check()).broken).toMatchObject([{ accountId: alice.id, seq: 4 }]);
    });

    it('an act and its row in the audit log are both written, or neither', async () => {
      const { accounts, auditLog, profiles, vault } = store;
      const record = { at: 7, actor: 'k', action: 'key.revoked', subject: 'k', details: {} } as const;
      const refused = auditLog.append(alice.id, record, async stores => {
        await stores.accounts.revokeKey(alice.id, 'k', 7);
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
      expect(await auditLog.entries(alice.id, null, 9)).toEqual([]);
      const version = {
        name: 'shop',
        version: 1,
        savedAt: 7,
        bytes: 1,
        origins: ['https://a.test', 'b.test'],
      };
      const entry = { name: 'shop', fields: ['note'], origins: ['https://a.test'], savedAt: 7 } as const;
      const revoked = await auditLog.append(alice.id, record, async stores => {
        await stores.profiles.save(alice.id, version, 'v1.x');
        await stores.vault.save(alice.id, entry, 'v1.y');
        return stores.accounts.revokeKey(alice.id, 'k', 8);
      });
      expect(revoked?.revokedAt).toBe(8);
      expect(await profiles.list(alice.id)).toEqual([version]);
      expect(await vault.list(alice.id)).toMatchObject([{ name: 'shop' }]);
      await run('alter table audit_log rename to elsewhere');
      const unwritten = auditLog.append(alice.id, record, stores =>
        stores.accounts.setKeyPolicy(alice.id, 'k', {}),
      );
      await expect(
        unwritten.finally(() => run('alter table elsewhere rename to audit_log')),
      ).rejects.toThrow();
      expect((await accounts.keysById(['k']))[0]?.policy).toBeUndefined();
    });

    it('auditLedger() finds nothing if everything agrees', async () => {
      expect(await store.auditLedger()).toMatchObject({
        accounts: 1,
        sessions: 1,
        ledgerRows: 3,
        findings: [],
      });
    });

    it.each([
      ["delete from ledger where kind = 'credit'", 'row numbers have no gap'],
      ['update ledger set balance_micros = 0 where seq = 2', 'balance of a row'],
      ['update accounts set balance_micros = balance_micros + 1', 'balance of an account'],
      ['update api_keys set spent_micros = 0', 'spending of a key'],
      ["update ledger set browser_ms = -1 where kind = 'idle'", 'times are whole and not negative'],
      ["update ledger set amount_micros = 1 where kind = 'idle'", 'charges are not positive'],
      ["delete from ledger where kind = 'idle'", 'time of a session'],
      ['update sessions set uncharged_ms = 1, browser_ms = browser_ms + 1', 'time of a session'],
      ['update sessions set created_at = ended_at + 1500', 'time of a session within its duration'],
      ["delete from ledger where kind = 'observe'", 'one row for each operation'],
      ["delete from session_events where type = 'observed'", 'an operation for each row'],
      ['update ledger set minute_micros = null', 'time after a credit has a price'],
      ["update session_counts set status = 'error'", 'numbers of sessions'],
      ['update event_counts set total = 5', 'numbers of events'],
      ['update usage_totals set browser_ms = 0 where span_ms = 86400000', 'usage totals'],
      ['delete from session_usage', 'usage totals'],
      ["update ledger set amount_micros = -7 where kind = 'idle'", 'price of idle time'],
    ])('auditLedger() finds what is wrong after %s', async (statement, rule) => {
      await run(statement);
      expect(await brokenRules()).toContain(rule);
    });
  });
}
