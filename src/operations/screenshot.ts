/** The fields of a request that say whether and how a screenshot is taken, and the idempotency key, which all operations have. */
import { z } from 'zod';
import {
  DEFAULT_SCREENSHOT,
  type ScreenshotFormat,
  type ScreenshotOptions,
} from '../domain/content/scrapeRequest.ts';
import { enumTable, type Group, type RequestOf, requestFields } from './field.ts';
import type { OperationContext, Selection } from './operation.ts';

const screenshotFormat = enumTable<ScreenshotFormat>(
  'ScreenshotFormat',
  'The image format of a screenshot.',
  {
    png: 'PNG: lossless.',
    jpeg: 'JPEG: smaller, lossy.',
  },
);

const screenshotFields = requestFields({
  take: {
    type: 'Boolean',
    description:
      'false: take no screenshot although the operation selects `screenshot`; the step S3 still takes one. For documents with a fixed selection. Default: true.',
    rest: null,
  },
  fullPage: {
    type: 'Boolean',
    description:
      'Capture the whole page instead of the viewport, up to 16,384 pixels in each direction and 32 million pixels in total.',
    default: DEFAULT_SCREENSHOT.fullPage,
  },
  format: { type: screenshotFormat, description: 'Image format.', default: DEFAULT_SCREENSHOT.format },
  quality: {
    type: 'Int',
    description: 'JPEG quality.',
    check: z.int().min(1).max(100),
    default: DEFAULT_SCREENSHOT.quality,
  },
});

const screenshot: Group<typeof screenshotFields> = {
  kind: 'group',
  name: 'ScreenshotInput',
  description: 'Options of the screenshot. The service takes one only if you select `screenshot`.',
  fields: screenshotFields,
};

/** The fields that the requests of all five operations have. */
export const commonFields = requestFields({
  screenshot: {
    type: screenshot,
    description: 'Format and area of the screenshot. Default: a PNG of the viewport.',
    rest: 'screenshot_options',
  },
  idempotencyKey: {
    type: 'String',
    description:
      'Idempotency key. A repeated request with the same key, fields and selection within 10 minutes returns the stored response, failures included. Two kinds of failures are not stored, so that you can repeat the request: those before any work was done and, except for a step, those of the service itself. The same key with other fields fails with VALIDATION_ERROR. Over HTTP the header `Idempotency-Key` can send it to the REST paths instead.',
    check: z.string().min(1, 'must not be empty').max(255, 'must be at most 255 characters'),
  },
});

/** Converts `commonFields` to options of the service. */
export function toCommonOptions(
  { screenshot: input, idempotencyKey }: RequestOf<typeof commonFields>,
  { signal }: OperationContext,
  selection: Selection,
) {
  const screenshotOptions: ScreenshotOptions = {
    fullPage: input?.fullPage ?? DEFAULT_SCREENSHOT.fullPage,
    format: input?.format ?? DEFAULT_SCREENSHOT.format,
    quality: input?.quality ?? DEFAULT_SCREENSHOT.quality,
  };
  return {
    screenshot: input?.take !== false && selection.has('screenshot'),
    screenshotOptions,
    idempotencyKey: idempotencyKey ?? null,
    signal,
  };
}
