import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('D-010 a closed session proxy and its onBlocked callback are garbage-collected', async () => {
  await using egress = await startEgressProxy({ allow: [] });
  const reported = await (async () => {
    const session = { blocked: (): void => {} };
    const sessionProxy = await egress.openSessionProxy(() => session.blocked());
    await sessionProxy.close();
    return new WeakRef(session);
  })();
  await expect
    .poll(() => {
      collectGarbage();
      return reported.deref() === undefined;
    })
    .toBe(true);
});
