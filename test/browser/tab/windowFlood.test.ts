import { describe, expect, it } from 'vitest';
import { MAX_WINDOWS_AT_ONCE, WindowFlood } from '../../../src/browser/tab/tabSet.ts';

/** Opens as many windows as make a flood, at even times. Returns the number of the window with which the flood began; 0 for none. */
function floodAt(seconds: number, afterWindow: (flood: WindowFlood, nth: number) => void = () => {}): number {
  const flood = new WindowFlood();
  for (let nth = 1; nth <= MAX_WINDOWS_AT_ONCE; nth++) {
    if (flood.hasBegun(nth * seconds * 1_000)) return nth;
    afterWindow(flood, nth);
  }
  return 0;
}

describe('WindowFlood', () => {
  it('begins with the last window also on a machine that sets up one in two seconds', () => {
    expect(floodAt(2)).toBe(MAX_WINDOWS_AT_ONCE);
  });

  it('does not begin for a page that opens a window now and then', () => {
    expect(floodAt(10)).toBe(0);
  });

  it('does not begin for a page that was observed between its windows', () => {
    expect(floodAt(1, (flood, nth) => nth === 20 && flood.pageObserved())).toBe(0);
  });
});
