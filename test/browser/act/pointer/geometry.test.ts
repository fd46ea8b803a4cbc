import { errors } from 'playwright';
import { expect, it } from 'vitest';
import type { ElementContext } from '../../../../src/browser/act/element/elementContext.ts';
import { boundingBox } from '../../../../src/browser/act/pointer/geometry.ts';
import { ON_TOP } from '../../../../src/domain/space/placement.ts';

it('The box of an element in a page that is too busy to answer is waited for until the deadline, not 3 seconds', async () => {
  const timeouts: number[] = [];
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const element = {
    deadline: { signal: new AbortController().signal, remainingMs: () => 60_000 },
    readyTimeoutMs: 3_000,
    placement: ON_TOP,
    listed: { key: 1 },
    world: { callAgent: async () => true },
    locator: {
      async boundingBox({ timeout }: { timeout: number }) {
        timeouts.push(timeout);
        if (timeouts.length === 1)
          throw new errors.TimeoutError('Timeout 3000ms exceeded.\nwaiting for locator');
        return box;
      },
    },
  } as unknown as ElementContext;
  expect(await boundingBox(element)).toEqual(box);
  expect(timeouts).toEqual([3_000, 54_000]);
});
