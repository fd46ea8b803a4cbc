/** How many items a page of a list may have. */
import { z } from 'zod';

export const DEFAULT_PAGE = 20;
export const LARGEST_PAGE = 100;

/** A whole number from 1 to LARGEST_PAGE. */
export const pageSizeField = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(LARGEST_PAGE, `must be at most ${LARGEST_PAGE}`);
