import { Failure } from '../../../domain/failure/failures.ts';
import type { RecordEntry } from '../../../domain/ports/sessionFileStore.ts';
import type { StoredObservation } from '../../../domain/ports/sessionStore.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import { field, nullable } from '../../../operations/field.ts';
import { parseSessionId } from '../../../operations/operation.ts';
import { shape } from '../../../operations/results/shape.ts';
import { diffShape } from '../../../operations/results/space.ts';
import { parseObservationId } from '../../../operations/sessions.ts';
import { builder, FOLDER_COST, OBSERVATION_COST, ROW_COST } from '../builder.ts';
import { domainEnum, resultType } from '../operationTypes.ts';
import { PerformedOperationType } from './performedOperation.ts';
import { SessionType } from './session.ts';
import { SessionEventInterface } from './sessionEvent.ts';
import { SpaceType } from './space.ts';

const RecordedObservationType = resultType(
  shape<StoredObservation & { readonly id: string }>()({
    name: 'RecordedObservation',
    description: 'An observation as it was, from the record of the session.',
    fields: {
      id: field('ID', '`O1`, `O2`, …: unique in the session.'),
      url: field('URL', 'The address of the page.'),
      title: field('String', 'The title of the page.'),
      httpStatus: nullable('Int', "Status of the page's own HTTP response; null when it had none."),
    },
  }),
  t => ({
    at: t.expose('observedAt', { type: 'DateTime', description: 'When the page was observed.' }),
    space: t.field({
      type: SpaceType,
      description: 'The whole list, without the limits of the operation.',
      resolve: ({ space, sessionId, id }) => ({ ...space, sessionId, observationId: id }),
    }),
  }),
);

type PictureNode = RecordEntry & { readonly sessionId: string };

const RecordedPictureType = resultType(
  shape<PictureNode>()({
    name: 'RecordedPicture',
    description: 'A picture of the page from the record of the session, JPEG.',
    fields: {
      number: field('Int', 'Number of the picture among those of its kind: 1, 2, 3, …'),
      at: field('DateTime', 'When the picture was taken.'),
      bytes: field('Int', 'Size in bytes.'),
    },
  }),
  t => ({
    url: t.string({
      description:
        'Signed address of the picture, relative to the service: a browser loads it without an API key, for 15 minutes.',
      resolve: ({ sessionId, kind, number }, _args, { service, viewer }) =>
        service.linkTo(viewer, {
          sessionId,
          kind: kind === 'frame' ? 'frame' : 'picture',
          id: String(number),
        }),
    }),
  }),
);

const PictureKind = domainEnum<'picture' | 'frame'>('PictureKind', 'The kind of a picture in a record.', {
  picture: 'The page at the end of an operation.',
  frame: 'A frame of the video.',
});

const DEFAULT_PICTURES = 20;
const MAX_PICTURES = 500;

builder.mutationField('deleteRecord', t =>
  t.field({
    type: SessionType,
    authScopes: { operate: true },
    description:
      'Removes the record of a session that has ended: observations, pictures, console and requests. Its events stay. Errors: SESSION_NOT_FOUND, SESSION_BUSY.',
    args: { sessionId: t.arg.id({ required: true, description: 'The session.' }) },
    resolve: async (_root, { sessionId }, { service, viewer }) => {
      const id = parseSessionId(sessionId);
      await service.removeRecord(viewer, id);
      return id;
    },
  }),
);

builder.objectFields(SessionType, t => ({
  pictures: t.field({
    type: [RecordedPictureType],
    complexity: ({ first }) => ({ field: FOLDER_COST, multiplier: first ?? DEFAULT_PICTURES }),
    description: 'The pictures in the record of the session, in the order in which they were taken.',
    args: {
      kind: t.arg({ type: PictureKind, defaultValue: 'picture', description: 'The kind of the pictures.' }),
      after: t.arg.int({ description: 'Return only pictures with a greater number. Default: all.' }),
      first: t.arg.int({
        description: `Number of pictures, 1 to ${MAX_PICTURES}. Default ${DEFAULT_PICTURES}.`,
        validate: { type: 'number', min: 1, max: MAX_PICTURES },
      }),
    },
    resolve: async ({ id }, { kind, after, first }, { service }) => {
      const query = { kind: kind ?? 'picture', after: after ?? 0, limit: first ?? DEFAULT_PICTURES };
      return (await service.recordEntries(id, query)).map(entry => ({ ...entry, sessionId: id }));
    },
  }),
  observation: t.field({
    type: RecordedObservationType,
    complexity: { field: OBSERVATION_COST },
    description:
      'An observation as it was, also after the end of the session. Errors: NOT_FOUND, RECORD_EXPIRED.',
    args: { id: t.arg.id({ required: true, description: 'The id of the observation: `O3`.' }) },
    resolve: async (session, { id }, { service }) => {
      const number = parseObservationId(id);
      return { ...(await service.recordedObservation(session.id, number)), id: `O${number}` };
    },
  }),
  event: t.field({
    type: SessionEventInterface,
    complexity: { field: ROW_COST },
    description: 'One event of the session. Error: NOT_FOUND.',
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the event, or its `seq`.' }),
    },
    resolve: async (session, { id }, { eventRanges }) => {
      const seq = Number(/^(?:SessionEvent:[0-9a-f-]{36}:)?([1-9]\d{0,9})$/.exec(id)?.[1] ?? 0);
      const [event] = await eventRanges.load({ sessionId: session.id, after: seq - 1, upTo: seq });
      if (event === undefined)
        throw new Failure('NOT_FOUND', `This session has no event ${cutText(id, 80)}.`);
      return event;
    },
  }),
}));

builder.objectFields(PerformedOperationType, t => ({
  picture: t.field({
    type: RecordedPictureType,
    nullable: true,
    complexity: { field: FOLDER_COST },
    description: 'The picture of the page at the end of the operation; null without one in the record.',
    resolve: async ({ outcome, sessionId }, _args, { service }) => {
      const { picture: number } = outcome;
      if (number === undefined) return null;
      const [entry] = await service.recordEntries(sessionId, {
        kind: 'picture',
        after: number - 1,
        limit: 1,
      });
      return entry?.number === number ? { ...entry, sessionId } : null;
    },
  }),
  observation: t.field({
    type: RecordedObservationType,
    nullable: true,
    complexity: { field: OBSERVATION_COST },
    description: 'The observation that the operation made, as it was; null for none.',
    resolve: async ({ outcome, sessionId }, _args, { service }) => {
      const id = outcome.observationId;
      if (id === undefined) return null;
      return { ...(await service.recordedObservation(sessionId, parseObservationId(id))), id };
    },
  }),
  diff: t.field({
    type: resultType(diffShape),
    nullable: true,
    complexity: { field: OBSERVATION_COST * 2 },
    description:
      'What the operation changed: the difference between its observation and the one before; null without one of them.',
    resolve: ({ outcome, sessionId }, _args, { service }) => {
      const { observationId: id, earlierObservationId: since } = outcome;
      return id === undefined || since === undefined ? null : service.observationDiff(sessionId, since, id);
    },
  }),
}));
