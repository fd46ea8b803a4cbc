import { expect, it } from 'vitest';
import type { ScreenshotOptions } from '../../../src/domain/content/scrape.ts';
import { pageHarness } from '../../support/pageHarness.ts';

const { started, pages, agent } = pageHarness({
  '/square': '<title>Square</title><div style="width:1000000px;height:1000000px">x</div>',
  '/wide': '<title>Wide</title><div style="width:1000000px;height:900px">x</div>',
  '/high': '<title>High</title><div style="height:1000000px">x</div>',
});

/** Width and height of the screenshot of the whole page, from the PNG header. */
async function sizeOf(path: string): Promise<readonly [number, number]> {
  await agent.observe(pages.url + path);
  const screenshotOptions: ScreenshotOptions = { fullPage: true, format: 'png', quality: 80 };
  const { screenshot } = await started.service.observe(started.viewer, {
    sessionId: agent.sessionId,
    url: null,
    limits: { max: 1, min: null },
    data: null,
    space: true,
    keepAlive: null,
    timeoutMinutes: null,
    screenshot: true,
    screenshotOptions,
    signal: new AbortController().signal,
  });
  const png = Buffer.from(screenshot ?? '', 'base64');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

it.each([
  ['a high page is as wide as the viewport and 16,384 pixels high', '/high', 1_280, 16_384],
  ['a wide page is 16,384 pixels wide', '/wide', 16_384, 900],
  ['a high and wide page has at most 32 million pixels', '/square', 1_953, 16_384],
])('a full-page screenshot of %s', async (_, path, width, height) => {
  const [w, h] = await sizeOf(path);
  expect(w).toBe(width);
  expect(h).toBeGreaterThanOrEqual(height);
  expect(w * h).toBeLessThanOrEqual(32_000_000);
});
