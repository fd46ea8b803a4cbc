import { afterAll, beforeAll, describe } from 'vitest';
import { describeAuditContract } from '../contracts/auditContract.ts';
import { openSharedStore, type SharedStore } from '../contracts/postgresContractStore.ts';
import { describeStoreContract } from '../contracts/storeContract.ts';
import { postgresMissing } from '../support/findPostgres.ts';

describe.skipIf(postgresMissing !== null)(`PostgreSQL ${postgresMissing ?? ''}`, () => {
  let shared: SharedStore;
  beforeAll(async () => {
    shared = await openSharedStore();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  describeStoreContract('PostgreSQL', async () => {
    await shared.empty();
    return { ...shared.store, close: async () => {} };
  });

  describeAuditContract('PostgreSQL', async () => {
    await shared.empty();
    const run = (statement: string) => shared.outside.query(statement);
    return { store: { ...shared.store, close: async () => {} }, run };
  });
});
