import type { InputAnswer } from '../../../domain/session/takeOver.ts';
import { approveStep, denyStep } from '../../../operations/approvals.ts';
import { close } from '../../../operations/close.ts';
import { extendSession, updateSession } from '../../../operations/edits.ts';
import type { RequestFields, RequestOf } from '../../../operations/field.ts';
import { field, nullable } from '../../../operations/field.ts';
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
import { observe } from '../../../operations/observe.ts';
import { type Operation, parseSessionId } from '../../../operations/operation.ts';
import { observationShape } from '../../../operations/results/observation.ts';
import {
  downloadShape,
  holdShape,
  type SessionNode,
  uploadShape,
} from '../../../operations/results/session.ts';
import { shape } from '../../../operations/results/shape.ts';
import { scrape } from '../../../operations/scrape.ts';
import { listDownloads, listUploads } from '../../../operations/sessions.ts';
import { createShareLink, revokeShareLink } from '../../../operations/shareLinks.ts';
import { start } from '../../../operations/start.ts';
import { step } from '../../../operations/step.ts';
import {
  handBack,
  inputAnswerShape,
  requestTakeOver,
  sendInput,
  takeOver,
} from '../../../operations/takeOver.ts';
import { deleteVaultEntry, listVault, saveVaultEntry, vaultEntryShape } from '../../../operations/vault.ts';
import type { Hold, ObservationResult } from '../../../service/pagespace.ts';
import { builder, FOLDER_COST, ROW_COST } from '../builder.ts';
import { inputType, resultType } from '../operationTypes.ts';
import { selectionOf } from './selects.ts';
import { SessionType } from './session.ts';
import { DOWNLOAD_LINK } from './sessionEvent.ts';
import { CreatedShareLink, ShareLinkType } from './shareLink.ts';
import { SpaceType } from './space.ts';

const Observation = resultType(observationShape, t => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: observationShape.fields.space.description,
    resolve: ({ space, session, observationId }) =>
      space === null ? null : { ...space, sessionId: session.id, observationId },
  }),
}));

/** Adds an operation as a mutation. @param complexity its cost: that of the work in the browser */
function addMutation<Fields extends RequestFields, Result extends object | string>(
  { name, description, scope, request, fields, run }: Operation<Fields, unknown>,
  result: {
    readonly type: unknown;
    readonly complexity: number;
    readonly isOptional?: boolean;
    readonly argument?: string;
    readonly toNode: (result: never) => Result;
  },
): void {
  const input = inputType(request, fields);
  builder.mutationField(name, t =>
    t.field({
      type: result.type as typeof SessionType,
      authScopes: { [scope]: true },
      complexity: result.complexity,
      description,
      args: {
        input: t.arg({
          type: input as never,
          required: !result.isOptional,
          description: result.argument ?? request.description,
        }),
      },
      resolve: async (_root, args, context, info) =>
        result.toNode(
          (await run((args.input ?? {}) as RequestOf<Fields>, context, selectionOf(info))) as never,
        ) as never,
    }),
  );
}

const session = {
  type: SessionType,
  toNode: ({
    session: node,
    ...picture
  }: { session: SessionNode } & Pick<SessionNode, 'screenshot' | 'screenshotIsCut'>): SessionNode => ({
    ...node,
    ...picture,
  }),
};
const edited = { type: SessionType, complexity: 5, toNode: (node: SessionNode) => node };
const observation = { type: Observation, complexity: 50, toNode: (result: ObservationResult) => result };

addMutation(start, { ...session, complexity: 50, isOptional: true });
addMutation(observe, observation);
addMutation(step, observation);
addMutation(scrape, observation);
addMutation(close, { ...session, complexity: 20 });
addMutation(updateSession, edited);
addMutation(approveStep, edited);
addMutation(denyStep, edited);
addMutation(extendSession, edited);
addMutation(requestTakeOver, edited);
addMutation(takeOver, { type: resultType(holdShape), complexity: 5, toNode: (hold: Hold) => hold });
addMutation(handBack, edited);
addMutation(createShareLink, { type: CreatedShareLink, complexity: 5, toNode: (created: object) => created });
addMutation(revokeShareLink, { type: ShareLinkType, complexity: 5, toNode: (link: object) => link });
addMutation(sendInput, {
  type: resultType(inputAnswerShape),
  complexity: 1,
  toNode: (answer: InputAnswer) => answer,
});

const VaultEntryType = resultType(vaultEntryShape);
const vaultMutation = { complexity: 20, argument: 'The entry.' };
addMutation(saveVaultEntry, {
  ...vaultMutation,
  type: VaultEntryType,
  toNode: (entry: object) => entry,
});
addMutation(deleteVaultEntry, { ...vaultMutation, type: 'String', toNode: (name: string) => name });

builder.queryField('vault', t =>
  t.field({
    type: [VaultEntryType],
    authScopes: { read: true },
    complexity: { field: 10, multiplier: ROW_COST },
    description: 'The entries of the vault by name, without their values.',
    resolve: async (_root, _args, context) => [...(await listVault(context))],
  }),
);

builder.objectFields(SessionType, t => ({
  downloads: t.field({
    type: [
      resultType(downloadShape, t => ({
        link: t.string({
          description: DOWNLOAD_LINK,
          resolve: ({ sessionId, id }, _args, { service, viewer }) =>
            service.linkTo(viewer, { sessionId, kind: 'download', id }),
        }),
      })),
    ],
    complexity: { field: FOLDER_COST, multiplier: 10 },
    description:
      'Files that the pages of the session downloaded, in the order in which the downloads started.',
    resolve: ({ id }, _args, { service }) => listDownloads(service, id),
  }),
  uploads: t.field({
    type: [resultType(uploadShape)],
    complexity: { field: FOLDER_COST, multiplier: 10 },
    description: 'Files that were uploaded to the session, oldest first.',
    resolve: ({ id }, _args, { service }) => listUploads(service, id),
  }),
}));

const FrameType = resultType(
  shape<SessionFrame>()({
    name: 'Frame',
    description: 'A picture of the active tab at one moment.',
    fields: {
      image: field('Base64', 'The viewport as JPEG.'),
      tabId: nullable(
        'ID',
        'The `id` of the tab that the picture shows; null for the last picture of a session that has ended.',
      ),
      width: field(
        'Int',
        'Width of the viewport in CSS pixels, the unit of `Action.bounds`. The image can be smaller.',
      ),
      height: field('Int', 'Height of the viewport in CSS pixels.'),
      at: field('DateTime', 'When the browser took the picture.'),
    },
  }),
);

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
