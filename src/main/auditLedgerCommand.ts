/** `ledger audit`: prints whether sessions, operations, ledger and balances agree. Works while the service runs. */
import { normalizeText } from '../domain/space/pageText.ts';
import { terminalJson } from '../domain/terminalText.ts';
import { withStore } from './withStore.ts';

/** Prints the audit as a table, or as JSON. Sets the exit code 1 if something does not agree. */
export async function auditLedgerCommand({ json }: { readonly json: boolean }): Promise<void> {
  await withStore(async store => {
    const audit = await store.auditLedger();
    if (audit.findings.length > 0) process.exitCode = 1;
    if (json) {
      process.stdout.write(`${terminalJson(audit, 2)}\n`);
      return;
    }
    const { accounts, sessions, ledgerRows, rules, findings } = audit;
    const counts = [
      counted(accounts, 'account'),
      counted(sessions, 'session'),
      counted(ledgerRows, 'ledger row'),
    ];
    process.stdout.write(`${counts.join(', ')}\n`);
    for (const rule of rules) {
      const broken = findings.filter(finding => finding.rule === rule);
      process.stdout.write(`${broken.length === 0 ? 'ok    ' : 'BROKEN'}  ${rule}\n`);
      for (const { accountId, subject, expected, found } of broken)
        process.stdout.write(
          `        account ${accountId}${subject === null ? '' : `, ${normalizeText(subject)}`}: expected ${expected}, found ${found}\n`,
        );
    }
  });
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
