import { expect, test, vi } from 'vitest';
import { Screencast } from '../../../src/browser/tab/screencast.ts';
import type { TabSet } from '../../../src/browser/tab/tabSet.ts';
import { sharedChromium } from '../../support/sharedChromium.ts';

test('ten readers of a page that does not change share one screencast of Chromium, and each gets the present picture in its size', async () => {
  const page = await (await sharedChromium()).newPage({ viewport: { width: 800, height: 600 } });
  await page.setContent('<title>Still</title><body style="background:#00f">');
  const opened = vi.spyOn(page.context(), 'newCDPSession');
  const screencast = new Screencast({
    active: { id: 'T1', page },
    activeChanged: new Set(),
  } as unknown as TabSet);
  const ended = new AbortController();
  const widths = Array.from({ length: 10 }, (_, n) => 640 - 32 * n);
  const readers = widths.map(maxWidth => screencast.read({ maxWidth, quality: 60 }, ended.signal));
  const { loadImage } = await import('@napi-rs/canvas');
  const frames = await Promise.all(readers.map(reader => reader.next()));
  const images = frames.map(({ value }) => loadImage(Buffer.from(value?.image ?? '', 'base64')));
  expect((await Promise.all(images)).map(({ width }) => width)).toEqual(widths);
  expect(opened).toHaveBeenCalledTimes(1);
  ended.abort();
  expect(screencast.readerCount).toBe(0);
  opened.mockRestore();
  await page.close();
});
