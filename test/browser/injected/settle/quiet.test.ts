import { describe, expect, it } from 'vitest';
import type { SettleReport } from '../../../../src/browser/injected/settle/quiet.ts';
import { observerHarness } from '../../../support/observerHarness.ts';

const { openHtml, openPath } = observerHarness();

const MAX_MS = 3_000;

/** An expression that marks a step, runs a script in the document and returns how many milliseconds settling took. */
const settleAfter = (script = ''): string => `(async () => {
  __pagespace.markStep(); ${script};
  const start = performance.now();
  await __pagespace.settle(${MAX_MS});
  return performance.now() - start;
})()`;

/** Maximum number of tries of which one must be quick: a busy machine makes some of them slow. */
const MAX_TRIES = 20;

/** Settles until it takes less than `limitMs`. @returns how many milliseconds the last try took */
async function quickestSettle(
  observed: { evaluate<T>(expression: string): Promise<T> },
  limitMs: number,
  expression = settleAfter(),
): Promise<number> {
  let took = Number.POSITIVE_INFINITY;
  for (let left = MAX_TRIES; left > 0 && took >= limitMs; left--)
    took = await observed.evaluate<number>(expression);
  return took;
}

describe('settle()', () => {
  it('resolves within a few frames on a page that does nothing', async () => {
    const observed = await openHtml('<button>Still</button>');
    await observed.observe();
    expect(await quickestSettle(observed, 120)).toBeLessThan(120);
  });

  it('waits for a change that a step triggers a moment later', async () => {
    const observed = await openPath('/busy');
    await observed.observe();
    await observed.evaluate(settleAfter("document.getElementById('late').click()"));
    expect(await observed.lines()).toContain('link "Loaded"');
  });

  it('knows that the step has scrolled before the frame that tells the page', async () => {
    const observed =
      await openHtml(`<p style="height: 700px">Long</p><p id="end">End</p><p style="height: 3000px"></p>
      <script>new IntersectionObserver(([entry]) => { end.title = entry.isIntersecting ? 'seen' : '' }).observe(end)</script>`);
    await observed.observe();
    // On a machine that is too busy to draw within a second, the observers of one try are told too late.
    const seen = await observed.evaluate<string>(`(async () => {
      const end = document.getElementById('end');
      const until = async title => { while (end.title !== title) await new Promise(requestAnimationFrame) };
      for (let tries = 5; tries > 0; tries--) {
        __pagespace.markStep();
        void __pagespace.scrollRegion(null, 1, 100);
        await __pagespace.settle(0);
        if (end.title === 'seen') break;
        await until('seen');
        scrollTo(0, 0);
        await until('');
      }
      return end.title;
    })()`);
    expect(seen).toBe('seen');
  });

  it('does not wait without end for a box that scrolls again and again by itself', async () => {
    const observed =
      await openHtml(`<div id="row" style="overflow: auto; width: 200px; height: 40px"><p style="width: 9000px">Row</p></div>
      <script>setInterval(() => { for (const type of ['scrollend', 'scroll']) row.dispatchEvent(new Event(type)) }, 20)</script>`);
    await observed.observe();
    const isDone = await observed.evaluate<boolean>(`(async () => {
      __pagespace.markStep();
      await new Promise(resolve => document.addEventListener('scroll', resolve, { capture: true, once: true }));
      for (let rounds = 40; rounds > 0; rounds--)
        if ((await __pagespace.settle(400)).animationMs === 0) return true;
      return false;
    })()`);
    expect(isDone).toBe(true);
  });

  it('waits for a finite transition that the step started', async () => {
    const observed = await openPath('/busy');
    await observed.observe();
    const took = await observed.evaluate<number>(settleAfter("document.getElementById('fade').click()"));
    expect(took).toBeGreaterThan(200);
  });

  it('waits for what a page does when an animation ends, on a busy page', async () => {
    const observed =
      await openHtml(`<style>@keyframes out { to { opacity: 0 } } .out { animation: out 200ms }</style>
      <p id="d">Dialog</p><p id="o"></p><script>d.onanimationend = () => { o.textContent = 'Result' }</script>`);
    await observed.observe();
    // Tasks of 45 ms between the frames: the animation ends within one of them, most of the time.
    const text = await observed.evaluate<string>(`(async () => {
      const work = () => { const start = performance.now(); while (performance.now() - start < 45); };
      const busy = setInterval(work, 10);
      const element = id => document.getElementById(id);
      try {
        for (let nth = 0; nth < 8; nth++) {
          element('d').className = element('o').textContent = '';
          __pagespace.markStep();
          element('d').className = 'out';
          while ((await __pagespace.settle(${MAX_MS}, 1)).animationMs > 0);
          if (element('o').textContent === '') return 'Nothing';
        }
        return element('o').textContent;
      } finally {
        clearInterval(busy);
      }
    })()`);
    expect(text).toBe('Result');
  });

  it('waits for an animation by script of an element that was just added', async () => {
    const observed = await openHtml('<script>0</script><p id="p"></p>');
    await observed.observe();
    await observed.evaluate(settleAfter("p.innerHTML = '<b id=b>new</b>'; b.style.width = '1px'"));
    const width = await observed.evaluate<string>(
      `${settleAfter(`let frames = 0; (function move() { b.style.width = frames + 'px'; if (frames++ < 12) requestAnimationFrame(move); })()`)}.then(() => b.style.width)`,
    );
    expect(width).toBe('12px');
  });

  it('does not wait for a clock that ticked before the step, nor for an endless animation', async () => {
    const observed = await openPath('/busy');
    await observed.observe();
    const ticks = () => Number(document.getElementById('clock')?.textContent);
    const before = await observed.page.evaluate(ticks);
    // A clock is known by its ticks after the first observation.
    await observed.page.waitForFunction(
      seen => Number(document.getElementById('clock')?.textContent) > seen + 3,
      before,
    );
    expect(await quickestSettle(observed, 500)).toBeLessThan(500);
  });

  it('resolves at the time limit when changes never end', async () => {
    const observed = await openHtml('<p>Noisy</p><script>0</script>');
    await observed.observe();
    const settling = `(async () => {
      __pagespace.markStep();
      const change = () => document.body.append(document.createElement('i'));
      change();
      const noise = setInterval(change, 10);
      const start = performance.now();
      await __pagespace.settle(400);
      clearInterval(noise);
      return performance.now() - start;
    })()`;
    const took = await quickestSettle(observed, 1_500, settling);
    expect(took).toBeGreaterThan(300);
    expect(took).toBeLessThan(1_500);
  });

  it.each([
    ['no sign', 'shrink 5s linear 1 forwards', undefined],
    ['a sign', 'shrink 1s linear infinite', 'busy'],
  ])('takes a progress bar without a value for %s if it is moved by: %s', async (_what, animation, kind) => {
    const observed = await openHtml(
      `<style>@keyframes shrink { to { transform: scaleX(0) } }</style><p>Page</p><script>0</script>`,
    );
    await observed.observe();
    const report = await observed.evaluate<Pick<SettleReport, 'sign'>>(`(() => {
      __pagespace.markStep();
      document.body.insertAdjacentHTML('beforeend', '<div role="alert">Saved<div role="progressbar" aria-label="Bar" style="height:5px;animation:${animation}"></div></div>');
      return __pagespace.settle(50, 1);
    })()`);
    expect(report.sign?.kind).toBe(kind);
  });

  it('takes no spin button for a spinner', async () => {
    const field =
      '<span class="kit-SpinButton"><input role="spinbutton" class="kit-SpinButton__input" value="3"></span>';
    const observed = await openHtml(`<p>Copies</p>${field}`);
    await observed.observe();
    const report = await observed.evaluate<Pick<SettleReport, 'sign'>>(
      `(() => { __pagespace.markStep(); return __pagespace.settle(50, 1) })()`,
    );
    expect(report.sign).toBeNull();
  });

  it.each([
    ['', 'busy'],
    ['<p>Shown</p>', undefined],
  ])('takes a frame that the step has added for loading while it shows nothing: "%s"', async (html, kind) => {
    const observed = await openHtml('<p>Frames</p><script>0</script>');
    await observed.observe();
    const report = await observed.evaluate<Pick<SettleReport, 'sign'>>(`(async () => {
      __pagespace.markStep();
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.contentDocument.body.innerHTML = '${html}';
      return __pagespace.settle(400, 1);
    })()`);
    expect(report.sign?.kind).toBe(kind);
  });
});
