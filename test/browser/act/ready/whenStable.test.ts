import { expect, it } from 'vitest';
import type { ElementContext } from '../../../../src/browser/act/element/elementContext.ts';
import { whenStable } from '../../../../src/browser/act/ready/whenStable.ts';
import type { Deadline } from '../../../../src/domain/ports/deadline.ts';

const deadline: Deadline = { signal: new AbortController().signal, remainingMs: () => 20_000 } as Deadline;
const element = { deadline, readyTimeoutMs: 3_000 } as ElementContext;

/** Playwright's error when a slow page has not let it decide whether the element is ready. */
const undecided = (): Error =>
  Object.assign(new Error('Timeout exceeded.\nwaiting for element to be visible, enabled and stable'), {
    name: 'TimeoutError',
  });

it.each([
  [0, element],
  [1, element],
  [2, element],
  [2, { ...element, readyTimeoutMs: 800 }],
])(
  'whenStable acts once on an element that is ready after %i tries that could not decide: %o',
  async (undecidedTries, tried) => {
    let tries = 0;
    let acted = 0;
    await whenStable(tried, async () => {
      if (tries++ < undecidedTries) throw undecided();
      acted++;
    });
    expect([tries, acted]).toEqual([undecidedTries + 1, 1]);
  },
);
