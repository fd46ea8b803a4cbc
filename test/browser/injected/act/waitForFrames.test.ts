import { expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml } = observerHarness();

it('A button that is held is released after some frames, also while what it started is animated', async () => {
  const observed = await openHtml(
    '<p id="p">Text</p><script>p.animate([{ opacity: 0 }, { opacity: 1 }], 3_600_000)</script>',
  );
  await observed.evaluate('__pagespace.waitForFrames(3, 3_600_000)');
  expect(await observed.page.evaluate(() => document.getAnimations()[0]?.playState)).toBe('running');
});
