import type { BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { afterMs, race, type StopWhen, succeeds, waitUntil } from '../../async/race.ts';
import type { Screenshot, ScreenshotOptions } from '../../domain/content/scrape.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import { isPageBeingReplaced } from '../cdp/playwrightInternals.ts';
import type { Tab } from './tab.ts';

/** A screenshot, and the width of what it shows in CSS pixels; null for that of the window. */
export interface Capture extends Screenshot {
  readonly cssWidth: number | null;
}

type Device = Pick<BrowserContextOptions, 'deviceScaleFactor' | 'isMobile'>;

const DEVICES = new WeakMap<BrowserContext, Device>();

/** Keeps the options with which a context was created. */
export const keepDevice = (context: BrowserContext, options: Device): void =>
  void DEVICES.set(context, options);

function deviceScaleOf(context: BrowserContext): number | null {
  const { deviceScaleFactor = 1, isMobile = false } = DEVICES.get(context) ?? {};
  return deviceScaleFactor === 1 && !isMobile ? null : deviceScaleFactor;
}

/** Maximum width and height of a full-page screenshot: Chromium's maximum for a texture. */
const MAX_SIDE_PIXELS = 16_384;
/** Drawing needs about 30 bytes for each pixel, in a process that all sessions of a browser share. */
const MAX_AREA_PIXELS = 32_000_000;

/** Maximum number of documents of which one call tries to take a screenshot, while the page navigates again and again. */
const MAX_ATTEMPTS = 8;

/** A page that answers, but is not drawn for this time, waits for the GPU process, which one shader can keep busy for hours. Milliseconds. */
const GPU_STALL_MS = 8_000;
/** A page that answers within this part of the time is not busy itself. */
const PROMPT_PART = 1 / 8;

/** Maximum time between Chromium's answer that a page is not active and the commit of its next document. */
const COMMIT_TIMEOUT_MS = 1_000;

/** Number of attempts after which a page that the browser does not draw is given up, although it has a new GPU process: an empty page with an address of 250,000 characters. */
const MAX_STALLS = 2;

const NAVIGATED = Symbol('navigated');
const STALLED = Symbol('stalled');

export interface GpuProcess {
  /** Ends the process; Chromium starts another one. */
  readonly restart: () => Promise<void>;
  /** Time after which it counts as stalled, in milliseconds. Default: GPU_STALL_MS. */
  readonly stallMs?: number;
}

/**
 * Takes a screenshot of a tab: of the viewport, or of the full page, cut at 16,384 pixels in each direction and at 32
 * million pixels in all. Restarts the GPU process if that does not draw the page.
 * @throws Failure NAVIGATION_FAILED when the page does not stay at one document, or is not drawn
 */
export async function captureScreenshot(
  tab: Tab,
  options: ScreenshotOptions,
  deadline: Deadline,
  gpu: GpuProcess,
): Promise<Capture> {
  let stalls = 0;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const image = await captureDocument(tab, options, deadline, gpu.stallMs ?? GPU_STALL_MS);
    if (image === STALLED) {
      if (++stalls === MAX_STALLS)
        throw new Failure(
          'NAVIGATION_FAILED',
          'The browser does not draw this page, so no screenshot could be taken. Observe it without a screenshot, or open another page.',
        );
      await gpu.restart();
    } else if (image !== NAVIGATED) return image;
  }
  throw new Failure(
    'NAVIGATION_FAILED',
    `The page showed ${MAX_ATTEMPTS} documents one after another, so no screenshot could be taken. Try again, or observe the page without a screenshot.`,
  );
}

/** Gives up when the tab navigates: then Chromium never answers the call, or says that the page is not active. */
async function captureDocument(
  tab: Tab,
  options: ScreenshotOptions,
  deadline: Deadline,
  stallMs: number,
): Promise<Capture | typeof NAVIGATED | typeof STALLED> {
  try {
    return await race<Capture, typeof NAVIGATED | typeof STALLED>(
      capture(tab, options, deadline),
      onNavigated(tab),
      onStalled(tab, stallMs),
    );
  } catch (error) {
    if (!isPageBeingReplaced(error)) throw error;
    await waitUntil<unknown>(onNavigated(tab), afterMs(COMMIT_TIMEOUT_MS));
    return NAVIGATED;
  }
}

/** Ends a wait when the page shows another document; not when it only changes its address (`history.pushState`). */
const onNavigated =
  ({ target }: Tab): StopWhen<typeof NAVIGATED> =>
  ({ resolve }) => {
    const { session } = target.channel;
    const listener = ({ frame }: { readonly frame: { readonly parentId?: string } }) => {
      if (frame.parentId === undefined) resolve(NAVIGATED);
    };
    session.on('Page.frameNavigated', listener);
    return () => session.off('Page.frameNavigated', listener);
  };

/** Ends a wait when the page answers at once after `stallMs`: then it waits for the GPU process, not for its own script. */
const onStalled =
  (tab: Tab, stallMs: number): StopWhen<typeof STALLED> =>
  ({ resolve }) => {
    let timer: NodeJS.Timeout;
    let isWatching = true;
    const ask = async (): Promise<void> => {
      const askedAt = performance.now();
      const hasAnswered = await succeeds(tab.ping());
      if (hasAnswered && performance.now() - askedAt < stallMs * PROMPT_PART) resolve(STALLED);
      else if (isWatching) timer = setTimeout(ask, stallMs);
    };
    timer = setTimeout(ask, stallMs);
    return () => {
      isWatching = false;
      clearTimeout(timer);
    };
  };

async function capture(tab: Tab, options: ScreenshotOptions, deadline: Deadline): Promise<Capture> {
  const { channel } = tab.target;
  const format =
    options.format === 'png'
      ? ({ format: 'png', optimizeForSpeed: true } as const)
      : ({ format: 'jpeg', quality: options.quality } as const);
  if (!options.fullPage) {
    // From the window instead of the page's surface, with the same picture, which Chromium takes without changing the page.
    const shot = await channel.send('Page.captureScreenshot', { ...format, fromSurface: false }, deadline);
    return { image: shot.data, isCut: false, cssWidth: null };
  }
  const { cssContentSize, cssLayoutViewport } = await channel.send(
    'Page.getLayoutMetrics',
    undefined,
    deadline,
  );
  const scale = deviceScaleOf(tab.page.context());
  const size = clipSize(cssContentSize, cssLayoutViewport.clientWidth, scale ?? 1);
  const isCut =
    size.width < Math.floor(cssContentSize.width) || size.height < Math.floor(cssContentSize.height);
  if (scale !== null) {
    // Only Playwright's own session of the protocol gives the page the metrics of its device back.
    const shot = await tab.page.screenshot({
      ...{ fullPage: true, clip: { x: 0, y: 0, ...size }, animations: 'allow', caret: 'initial' },
      ...(options.format === 'png' ? { type: 'png' } : { type: 'jpeg', quality: options.quality }),
      timeout: Math.max(1, deadline.remainingMs()),
    });
    return { image: shot.toString('base64'), isCut, cssWidth: size.width };
  }
  // Chromium gives the page its metrics back that this session of the protocol has set, else those of its window (a screen of 800 × 600).
  await channel.send('Emulation.setDeviceMetricsOverride', metricsOf(tab.page), deadline);
  const clip = { x: 0, y: 0, scale: 1, ...size };
  const shot = await channel.send(
    'Page.captureScreenshot',
    { ...format, captureBeyondViewport: true, clip },
    deadline,
  );
  return { image: shot.data, isCut, cssWidth: size.width };
}

/** Returns the metrics that Playwright has given the page: those of its context, or of the features with which it was opened as a window. */
function metricsOf(page: Page) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const orientation = { angle: 0, type: 'landscapePrimary' } as const;
  return {
    ...{ width, height, screenWidth: width, screenHeight: height },
    ...{ deviceScaleFactor: 1, mobile: false, screenOrientation: orientation },
  };
}

/** Cuts a too large page first at the right of the viewport, then at the bottom. @param scale pixels for each CSS pixel */
function clipSize(content: { width: number; height: number }, shownWidth: number, scale: number) {
  const maxSide = Math.floor(MAX_SIDE_PIXELS / scale);
  const maxArea = Math.floor(MAX_AREA_PIXELS / scale ** 2);
  const height = Math.min(maxSide, Math.ceil(content.height));
  const width = Math.min(
    maxSide,
    Math.ceil(content.width),
    Math.max(Math.ceil(shownWidth), Math.floor(maxArea / height)),
  );
  return { width, height: Math.min(height, Math.floor(maxArea / width)) };
}
