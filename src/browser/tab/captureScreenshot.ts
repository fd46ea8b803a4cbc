/** Takes a screenshot of a tab. */

import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { Tab } from './tab.ts';

/** Maximum width and height of a full-page screenshot: Chromium's maximum for a texture. */
const MAX_SIDE_PIXELS = 16_384;
/**
 * Maximum area of a full-page screenshot. Drawing needs about 30 bytes for each pixel, in a process that all sessions of
 * a browser share.
 */
const MAX_AREA_PIXELS = 32_000_000;

/**
 * Takes a screenshot of a tab: of the viewport, or of the full page, cut at 16,384 pixels in each direction and at 32
 * million pixels in all.
 * @returns the image, as Base64
 */
export async function captureScreenshot(
  tab: Tab,
  options: ScreenshotOptions,
  deadline: Deadline,
): Promise<string> {
  const { channel } = tab.target;
  const format =
    options.format === 'png'
      ? ({ format: 'png', optimizeForSpeed: true } as const)
      : ({ format: 'jpeg', quality: options.quality } as const);
  if (!options.fullPage) return (await channel.send('Page.captureScreenshot', format, deadline)).data;
  const { cssContentSize, cssLayoutViewport } = await channel.send(
    'Page.getLayoutMetrics',
    undefined,
    deadline,
  );
  const clip = { x: 0, y: 0, scale: 1, ...clipSize(cssContentSize, cssLayoutViewport.clientWidth) };
  const shot = await channel.send(
    'Page.captureScreenshot',
    { ...format, captureBeyondViewport: true, clip },
    deadline,
  );
  return shot.data;
}

/**
 * Returns the size of a full-page screenshot, in CSS pixels. If the page is too large, cuts off first the part to the
 * right of the viewport, then the part at the bottom.
 * @param shownWidth the width of the viewport
 */
function clipSize(content: { width: number; height: number }, shownWidth: number) {
  const height = Math.min(MAX_SIDE_PIXELS, Math.ceil(content.height));
  const width = Math.min(
    MAX_SIDE_PIXELS,
    Math.ceil(content.width),
    Math.max(Math.ceil(shownWidth), Math.floor(MAX_AREA_PIXELS / height)),
  );
  return { width, height: Math.min(height, Math.floor(MAX_AREA_PIXELS / width)) };
}
