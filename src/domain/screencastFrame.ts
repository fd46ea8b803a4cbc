/** Size and quality of the live images of a session. */
export interface ScreencastOptions {
  /** Larger images are scaled down to this width, in pixels. Smaller ones stay as they are. */
  readonly maxWidth: number;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
}

/** A live image of the active tab. */
export interface ScreencastFrame {
  readonly tabId: string;
  /** JPEG, Base64. */
  readonly image: string;
  /** Width of the viewport in CSS pixels. The image has the viewport's proportions. */
  readonly width: number;
  readonly height: number;
  /** Time of capture, in milliseconds since the epoch. */
  readonly at: number;
}
