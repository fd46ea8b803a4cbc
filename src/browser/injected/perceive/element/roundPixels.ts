/** Rounds a length in CSS pixels to one decimal. */
export const roundPixels = (pixels: number): number => Math.round(pixels * 10) / 10;
