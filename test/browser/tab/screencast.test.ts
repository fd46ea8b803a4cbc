import { expect, test, vi } from 'vitest';
import { type FrameBoxes, Screencast } from '../../../src/browser/tab/screencast.ts';
import type { TabSet } from '../../../src/browser/tab/tabSet.ts';
import type { Rect } from '../../../src/domain/space/action.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';

test('ten readers of a page that does not change share one screencast of Chromium and one painting, and each gets the picture after one that was left out in its size', async () => {
  const page = await (await sharedChromium()).newPage({ viewport: { width: 800, height: 600 } });
  await page.setContent('<title>Still</title><body style="background:#00f">');
  const opened = vi.spyOn(page.context(), 'newCDPSession');
  let paintings = 0;
  class CountedBoxes extends Array<Rect> {
    override [Symbol.iterator]() {
      paintings++;
      return super[Symbol.iterator]();
    }
  }
  const painted = new CountedBoxes({ x: 0, y: 0, width: 100, height: 100 });
  let images = 0;
  const boxesIn = async (): Promise<FrameBoxes> => {
    const isFirst = ++images === 1;
    return { boxes: isFirst ? null : painted, cssWidth: 800, isCertain: !isFirst };
  };
  const tabs = { active: { id: 'T1', page }, activeChanged: new Set() } as unknown as TabSet;
  const screencast = new Screencast(tabs, boxesIn);
  const ended = new AbortController();
  const widths = Array.from({ length: 10 }, (_, n) => 640 - 32 * n);
  const readers = widths.map(maxWidth => screencast.read({ maxWidth, quality: 60 }, ended.signal));
  const { loadImage } = await import('@napi-rs/canvas');
  const frames = await Promise.all(readers.map(reader => reader.next()));
  const shown = frames.map(({ value }) => loadImage(Buffer.from(value?.image ?? '', 'base64')));
  expect((await Promise.all(shown)).map(({ width }) => width)).toEqual(widths);
  expect(opened).toHaveBeenCalledTimes(1);
  expect(paintings).toBe(new Set(frames.map(({ value }) => value?.at)).size);
  ended.abort();
  expect(screencast.readerCount).toBe(0);
  opened.mockRestore();
  await page.close();
});
