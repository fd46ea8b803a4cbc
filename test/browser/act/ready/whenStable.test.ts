import { expect, it } from 'vitest';
import type { ElementContext } from '../../../../src/browser/act/element/elementContext.ts';
import { whenStable } from '../../../../src/browser/act/ready/whenReady.ts';
import type { Deadline } from '../../../../src/domain/ports/clock.ts';

const deadline: Deadline = { signal: new AbortController().signal, remainingMs: () => 20_000 } as Deadline;
const elementThat = (callAgent: () => Promise<boolean>, readyTimeoutMs = 3_000) =>
  ({ deadline, readyTimeoutMs, listed: { key: 1 }, world: { callAgent } }) as unknown as ElementContext;
const isPresent = async () => true;

/** Playwright's error when a slow page has not let it decide whether the element is ready. */
const undecided = (): Error =>
  Object.assign(new Error('Timeout exceeded.\nwaiting for element to be visible, enabled and stable'), {
    name: 'TimeoutError',
  });

it.each([
  [0, 3_000],
  [1, 3_000],
  [2, 3_000],
  [2, 800],
])(
  'whenStable acts once on an element that is ready after %i tries that could not decide, of at most %i ms',
  async (undecidedTries, readyTimeoutMs) => {
    let tries = 0;
    let acted = 0;
    await whenStable(elementThat(isPresent, readyTimeoutMs), async () => {
      if (tries++ < undecidedTries) throw undecided();
      acted++;
    });
    expect([tries, acted]).toEqual([undecidedTries + 1, 1]);
  },
);

const documentGone = new Error('Execution context was destroyed.');

it.each([
  ['its document no longer has it', 3_000, async () => false],
  ['its document no longer has it', 800, async () => false],
  ['its document is gone', 3_000, () => Promise.reject(documentGone)],
])('whenStable tries once if %s, of at most %i ms', async (_, readyTimeoutMs, callAgent) => {
  let tries = 0;
  const acted = whenStable(elementThat(callAgent, readyTimeoutMs), async () => {
    tries++;
    throw undecided();
  });
  await expect(acted).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(tries).toBe(1);
});
