/** The input type ScreenshotInput, which every operation has. */

import {
  DEFAULT_SCREENSHOT,
  type ScreenshotFormat as Format,
  type ScreenshotOptions,
} from '../../../domain/content/screenshotOptions.ts';
import { qualityField } from '../../../domain/inputFields.ts';
import { builder, type Nullish } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';

const ScreenshotFormat = domainEnum<Format>('ScreenshotFormat', 'The image format of a screenshot.', {
  png: 'PNG: lossless.',
  jpeg: 'JPEG: smaller, lossy.',
});

export const ScreenshotInput = builder.inputType('ScreenshotInput', {
  description: 'Options of the screenshot. The service takes one only if you select `screenshot`.',
  fields: t => ({
    take: t.boolean({
      description:
        'false: take no screenshot although the operation selects `screenshot`; the step S3 still takes one. For documents with a fixed selection. Default true.',
    }),
    fullPage: t.boolean({
      description:
        'Capture the whole page instead of the viewport, up to 16,384 pixels in each direction and 32 million pixels in total. Default false.',
    }),
    format: t.field({ type: ScreenshotFormat, description: 'Image format. Default PNG.' }),
    quality: t.int({
      description: `JPEG quality, 1 to 100. Default ${DEFAULT_SCREENSHOT.quality}.`,
      validate: { type: 'number', schema: qualityField },
    }),
  }),
});

export const toScreenshotOptions = (
  input: Nullish<typeof ScreenshotInput.$inferInput>,
): ScreenshotOptions => ({
  fullPage: input?.fullPage ?? DEFAULT_SCREENSHOT.fullPage,
  format: input?.format ?? DEFAULT_SCREENSHOT.format,
  quality: input?.quality ?? DEFAULT_SCREENSHOT.quality,
});
