/** Area, format and quality of a screenshot. */
export interface ScreenshotOptions {
  /** True for the whole page, false for the viewport. */
  readonly fullPage: boolean;
  readonly format: ScreenshotFormat;
  /** JPEG quality, 1 to 100. PNG ignores it. */
  readonly quality: number;
}

/** The image formats of screenshots. */
export const SCREENSHOT_FORMATS = ['png', 'jpeg'] as const;
export type ScreenshotFormat = (typeof SCREENSHOT_FORMATS)[number];

/** The default options: a PNG of the viewport. */
export const DEFAULT_SCREENSHOT: ScreenshotOptions = { fullPage: false, format: 'png', quality: 80 };
