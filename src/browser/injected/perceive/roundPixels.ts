/** Rounds to one decimal. */
export const roundPixels = (pixels: number): number => Math.round(pixels * 10) / 10;
