/** Size and quality of the live images of a session. */
export interface ScreencastOptions {
  /** Maximum width of an image, in pixels. Larger images are scaled down, smaller ones are not changed. */
  readonly maxWidth: number;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
  /** Minimum time between two images, in milliseconds; absent for 66. */
  readonly minIntervalMs?: number;
}

/** A live image of the active tab. */
export interface ScreencastFrame {
  readonly tabId: string;
  /** JPEG, Base64. */
  readonly image: string;
  /** Width of the viewport in CSS pixels. The image has the same proportions as the viewport. */
  readonly width: number;
  readonly height: number;
  /** Time of capture, in milliseconds since the epoch. */
  readonly at: number;
}
