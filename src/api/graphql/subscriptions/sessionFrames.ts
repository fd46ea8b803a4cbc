/** The subscription `sessionFrames`: live images of a session. */
import {
  DEFAULT_FRAME_QUALITY,
  DEFAULT_FRAME_WIDTH,
  frameQuality,
  frameWidth,
  MAX_FRAME_WIDTH,
  MIN_FRAME_WIDTH,
  type SessionFrame,
  watchFrames,
} from '../../../operations/frames.ts';
import { parseSessionId } from '../../../operations/operation.ts';
import { builder } from '../builder.ts';

const FrameType = builder.objectRef<SessionFrame>('Frame').implement({
  description: 'A picture of the active tab at one moment.',
  fields: t => ({
    image: t.expose('image', { type: 'Base64', description: 'The viewport as JPEG.' }),
    tabId: t.exposeID('tabId', {
      nullable: true,
      description:
        'The `id` of the tab that the picture shows; null for the last picture of a session that has ended.',
    }),
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
      'Live pictures of the active tab: one now, then one whenever the page looks different, at most fifteen per second. Follows the session when another tab becomes active. A slow reader gets fewer pictures, never old ones. Ends with the session. Of a session that has ended: the last picture of its record; with `record: OFF` no picture is kept, and the error of the ended session says so.',
    args: {
      sessionId: t.arg.id({ required: true, description: 'The id of the session.' }),
      maxWidth: t.arg.int({
        description: `Maximum width of the images in pixels: ${MIN_FRAME_WIDTH} to ${MAX_FRAME_WIDTH}. Default ${DEFAULT_FRAME_WIDTH}.`,
        validate: { type: 'number', schema: frameWidth },
      }),
      quality: t.arg.int({
        description: `JPEG quality, 1 to 100. Default ${DEFAULT_FRAME_QUALITY}.`,
        validate: { type: 'number', schema: frameQuality },
      }),
    },
    subscribe: (_root, { sessionId, maxWidth, quality }, context) =>
      watchFrames(
        context,
        parseSessionId(sessionId),
        { maxWidth: maxWidth ?? DEFAULT_FRAME_WIDTH, quality: quality ?? DEFAULT_FRAME_QUALITY },
        context.signal,
      ),
    resolve: frame => frame,
  }),
);
