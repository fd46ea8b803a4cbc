/** Takes screenshots. */

import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { Tab } from './tab.ts';

/** Chromium's maximum size of a texture, in each direction. */
const MAX_SIDE_PIXELS = 16_384;
/** Maximum area. Drawing it needs thirty times as many bytes, in a process that all sessions of a browser share. */
const MAX_AREA_PIXELS = 32_000_000;

/** @returns base64. A full page is cut at 16,384 pixels each way and at 32 million pixels in all. */
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
 * Returns the size of the part of the page to draw. Leaves out first the part to the right of the viewport, then the
 * part at the bottom.
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
