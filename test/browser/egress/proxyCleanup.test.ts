import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startEgressProxy } from '../../../src/browser/egress/startEgressProxy.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('D-010 a door that was closed is forgotten, and whoever it told of refusals', async () => {
  await using egress = await startEgressProxy({ allow: [] });
  const told = await (async () => {
    const session = { blocked: (): void => {} };
    const door = await egress.openSessionProxy(() => session.blocked());
    await door.close();
    return new WeakRef(session);
  })();
  await expect
    .poll(() => {
      collectGarbage();
      return told.deref() === undefined;
    })
    .toBe(true);
});
