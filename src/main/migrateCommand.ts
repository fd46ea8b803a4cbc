/** `migrate`: brings the schema of the store up to date, before the first node of a new version starts. */
import { withStore } from './withStore.ts';

/** Brings the schema of the store up to date, and prints that it is. Can run while nodes of the version before run. */
export async function migrateCommand(): Promise<void> {
  await withStore(async () => {
    process.stdout.write('The schema of the store is up to date.\n');
  });
}
