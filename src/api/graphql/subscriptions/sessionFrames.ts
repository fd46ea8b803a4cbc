/** The subscription `sessionFrames`: live images of a session. */
import { z } from 'zod';
import type { ScreencastFrame } from '../../../domain/session/screencastFrame.ts';
import { parseSessionId } from '../../../operations/operation.ts';
import { builder } from '../builder.ts';

/** Default maximum width of an image, in pixels: half the width of the viewport (1280), enough to follow the session. */
const DEFAULT_WIDTH = 640;
const MIN_WIDTH = 64;
const MAX_WIDTH = 4_096;
/** Default JPEG quality: text is readable, and an image has a third of the bytes of quality 90. */
const DEFAULT_QUALITY = 60;

const widthField = z
  .int('must be a whole number')
  .min(MIN_WIDTH, `must be at least ${MIN_WIDTH}`)
  .max(MAX_WIDTH, `must be at most ${MAX_WIDTH}`);
const qualityField = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100, 'must be at most 100');

const FrameType = builder.objectRef<ScreencastFrame>('Frame').implement({
  description: 'A picture of the active tab at one moment.',
  fields: t => ({
    image: t.expose('image', { type: 'Base64', description: 'The viewport as JPEG.' }),
    tabId: t.exposeID('tabId', { description: 'The `id` of the tab that the picture shows.' }),
    width: t.exposeInt('width', {
      description:
        'Width of the viewport in CSS pixels, the unit of `Action.bounds`. The image can be smaller.',
    }),
    height: t.exposeInt('height', { description: 'Height of the viewport in CSS pixels.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the browser took the picture.' }),
  }),
});

builder.subscriptionField('sessionFrames', t =>
  t.field({
    type: FrameType,
    authScopes: { read: true },
    description:
      'Live pictures of the active tab: one now, then one whenever the page looks different, at most fifteen per second. Follows the session when another tab becomes active. A slow reader gets fewer pictures, never old ones. Ends with the session.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      maxWidth: t.arg.int({
        description: `Maximum width of the images in pixels: ${MIN_WIDTH} to ${MAX_WIDTH}. Default ${DEFAULT_WIDTH}.`,
        validate: { type: 'number', schema: widthField },
      }),
      quality: t.arg.int({
        description: `JPEG quality, 1 to 100. Default ${DEFAULT_QUALITY}.`,
        validate: { type: 'number', schema: qualityField },
      }),
    },
    subscribe: (_root, { sessionId, maxWidth, quality }, { service, viewer, signal }) =>
      service.frames(
        viewer,
        parseSessionId(sessionId),
        { maxWidth: maxWidth ?? DEFAULT_WIDTH, quality: quality ?? DEFAULT_QUALITY },
        signal,
      ),
    resolve: frame => frame,
  }),
);
