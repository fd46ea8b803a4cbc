/** A picture of a tab. */

import type { Deadline } from '../../domain/ports/deadline.ts';
import type { ScreenshotOptions } from '../../domain/screenshotOptions.ts';
import type { Tab } from './tab.ts';

/** Chromium draws no picture that is larger, each way: the bound of its textures. */
const MAX_SIDE_PIXELS = 16_384;
/** In all: Chromium takes thirty times as many bytes to draw it, in a process that all its sessions share. */
const MAX_AREA_PIXELS = 32_000_000;

/** @returns base64. A page higher than 16,384 pixels is cut there, one of more than 32 million pixels beside its viewport, too. */
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

/** What of a page is drawn. What is out of the way at the right goes first, then what is far below. */
function clipSize(content: { width: number; height: number }, shownWidth: number) {
  const height = Math.min(MAX_SIDE_PIXELS, Math.ceil(content.height));
  const width = Math.min(
    MAX_SIDE_PIXELS,
    Math.ceil(content.width),
    Math.max(Math.ceil(shownWidth), Math.floor(MAX_AREA_PIXELS / height)),
  );
  return { width, height: Math.min(height, Math.floor(MAX_AREA_PIXELS / width)) };
}
