import { expect, it } from 'vitest';
import { pageHarness } from '../../support/pageHarness.ts';

const { pages, agent } = pageHarness({ '/hang': () => {} }, { operationTimeoutMs: 300 });

it('observe ends with OPERATION_TIMEOUT, never with NAVIGATION_TIMEOUT, if the deadline of the operation is the earlier one', async () => {
  for (let round = 0; round < 5; round++)
    await expect(agent.observe(`${pages.url}/hang`)).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
});
