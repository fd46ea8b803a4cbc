import { describe, expect, it } from 'vitest';
import { observerHarness } from '../../../support/observerHarness.ts';

const { show, visit } = observerHarness();

const QUIET_MS = 60;
const MOST_MS = 3_000;

/** Marks, runs a script in the page's document, and answers how long settling took. */
const settling = (script = ''): string => `(async () => {
  __pagespace.markStep(); ${script};
  const began = performance.now();
  await __pagespace.settle(${QUIET_MS}, ${MOST_MS});
  return performance.now() - began;
})()`;

describe('settling', () => {
  it('costs a page that does nothing no more than a few frames', async () => {
    const observed = await show('<button>Still</button>');
    await observed.observe();
    expect(await observed.evaluate<number>(settling())).toBeLessThan(120);
  });

  it('waits for what a step sets off a moment later', async () => {
    const observed = await visit('/busy');
    await observed.observe();
    await observed.evaluate(settling("document.getElementById('late').click()"));
    expect(await observed.lines()).toContain('link "Loaded"');
  });

  it('waits for a finite transition that the step began', async () => {
    const observed = await visit('/busy');
    await observed.observe();
    const took = await observed.evaluate<number>(settling("document.getElementById('fade').click()"));
    expect(took).toBeGreaterThan(200);
  });

  it('waits for a movement by script of what has just been built', async () => {
    const observed = await show('<script>0</script><p id="p"></p>');
    await observed.observe();
    await observed.evaluate(settling("p.innerHTML = '<b id=b>new</b>'; b.style.width = '1px'"));
    const width = await observed.evaluate<string>(
      `${settling(`let frames = 0; (function move() { b.style.width = frames + 'px'; if (frames++ < 12) requestAnimationFrame(move); })()`)}.then(() => b.style.width)`,
    );
    expect(width).toBe('12px');
  });

  it('does not wait for a clock that ticked before, nor for an endless animation', async () => {
    const observed = await visit('/busy');
    await observed.observe();
    await observed.page.waitForFunction(() => Number(document.getElementById('clock')?.textContent) > 3);
    expect(await observed.evaluate<number>(settling())).toBeLessThan(500);
  });

  it('is over at the limit when changes never end', async () => {
    const observed = await show('<p>Noisy</p><script>0</script>');
    await observed.observe();
    const took = await observed.evaluate<number>(`(async () => {
      __pagespace.markStep();
      const change = () => document.body.append(document.createElement('i'));
      change();
      const noise = setInterval(change, 10);
      const began = performance.now();
      await __pagespace.settle(${QUIET_MS}, 400);
      clearInterval(noise);
      return performance.now() - began;
    })()`);
    expect(took).toBeGreaterThan(300);
    expect(took).toBeLessThan(1_500);
  });
});
