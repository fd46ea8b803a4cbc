import { z } from 'zod';
import { type ContentFormat, DEFAULT_FORMATS } from '../../domain/content/contentParts.ts';
import { diffMarkdown } from '../../domain/space/diffMarkdown.ts';
import type { Space } from '../../domain/space/space.ts';
import type { SpaceDiff } from '../../domain/space/spaceDiff.ts';
import { findSpecialAction } from '../../domain/specialActions/specialActions.ts';
import { approveStep, denyStep } from '../../operations/approvals.ts';
import { close } from '../../operations/close.ts';
import { extendSession, updateSession } from '../../operations/edits.ts';
import type { RequestFields, Rule } from '../../operations/field.ts';
import { observe } from '../../operations/observe.ts';
import type { Operation } from '../../operations/operation.ts';
import { keepAliveFields, timeoutFields } from '../../operations/page.ts';
import { ALL_FIELDS, type Body, fieldsIn, type WantedFields } from '../../operations/results/layout.ts';
import { observationShape } from '../../operations/results/observation.ts';
import { holdShape, type SessionNode, sessionShape } from '../../operations/results/session.ts';
import type { Now } from '../../operations/results/shape.ts';
import { actionShape, diffShape, spaceShape } from '../../operations/results/space.ts';
import { scrape } from '../../operations/scrape.ts';
import { start } from '../../operations/start.ts';
import { step } from '../../operations/step.ts';
import { handBack, requestTakeOver, takeOver } from '../../operations/takeOver.ts';
import type { Hold, ObservationResult } from '../../service/pagespace.ts';
import {
  bodyOf,
  EXAMPLE_SESSION_ID,
  operationRoute,
  type RestContext,
  type RestRoute,
  restFields,
} from './route.ts';
import {
  type BodySelection,
  HoldBody,
  leanAction,
  leanLayout,
  ObservationBody,
  restLayout,
  type SelectionRequest,
  SessionBody,
  selectionFields,
  toBodySelection,
} from './selection.ts';

/** The fields of every operation that only REST has. */
const screenshotField = {
  screenshot: z.boolean().nullish().meta({ description: 'Include a screenshot in the response.' }),
};
const aliasField = {
  session_timeout: timeoutFields.sessionTimeoutMinutes.check
    .nullish()
    .meta({ description: 'An alias of session_timeout_minutes. If you send both, they must be equal.' }),
};
const aliasRule: Rule = {
  holds: ({ session_timeout: short, session_timeout_minutes: long }) =>
    short == null || long == null || short === long,
  field: 'session_timeout',
  message: 'must be the same as session_timeout_minutes when both are given',
};
/** Matches the names of `space.diff` and of its fields in the request field `fields`. */
const DIFF_FIELD = /^(space\.)?diff(\.|$)/;

/** Returns true if `fields` names the difference: then `diff_since` is `last` unless the request says otherwise. */
const wantsDiff = (fields: readonly string[] | null | undefined): boolean =>
  fields?.some(name => DIFF_FIELD.test(name)) === true;

const diffRule: Rule = {
  holds: ({ diff_only, diff_since, fields }) =>
    diff_only !== true || diff_since != null || wantsDiff(fields as CommonBody['fields']),
  field: 'diff_only',
  message: 'needs diff_since',
};

interface CommonBody {
  readonly screenshot?: boolean | null;
  readonly session_timeout?: number | null;
  readonly fields?: readonly string[] | null;
}

interface PageBody extends CommonBody, SelectionRequest {
  readonly screenshot?: boolean | null;
  readonly fields?: readonly string[] | null;
}

interface ScrapeBody extends PageBody {
  readonly formats?: readonly ContentFormat[] | null;
  readonly scrape_images?: boolean | null;
}

interface CommonRequest {
  readonly screenshot?: { readonly take?: boolean | null | undefined } | null | undefined;
  readonly sessionTimeoutMinutes?: number | null | undefined;
}

/** Over REST a screenshot is taken only on request. */
const withScreenshot = <Request extends CommonRequest>(request: Request, body: CommonBody): Request => ({
  ...request,
  screenshot: {
    ...request.screenshot,
    take: body.screenshot ?? body.fields?.includes('screenshot') ?? false,
  },
});

const withTimeout = <Request extends CommonRequest>(request: Request, body: CommonBody): Request =>
  body.session_timeout == null ? request : { ...request, sessionTimeoutMinutes: body.session_timeout };

interface PageRequest extends CommonRequest {
  readonly diffSince?: string | null | undefined;
  readonly actions?: { readonly text?: boolean | null | undefined } | null | undefined;
}

const TEXT_FIELD = /^(space\.)?text_blocks(\.|$)/;

/** Completes the request of observe, step or scrape by what its body says beyond the values of its fields. */
export function pageRequest<Request extends PageRequest>(request: Request, body: PageBody): Request {
  const common = withTimeout(withScreenshot(request, body), body);
  const { fields } = body;
  if (fields == null) return common;
  return {
    ...common,
    // A caller who asks for the difference and names no observation means the last one.
    ...(request.diffSince == null && wantsDiff(fields) && { diffSince: 'last' }),
    // A caller who asks for the text blocks wants them to be read.
    ...(request.actions?.text == null &&
      fields.some(name => TEXT_FIELD.test(name)) && { actions: { ...request.actions, text: true } }),
  };
}

const scrapes = (actionId: string): boolean => findSpecialAction(actionId)?.requests === 'scrape';

/** `images` is among them only if `scrape_images` is true, or is absent while `formats` contains `images`. */
function toFormats({ formats, scrape_images }: ScrapeBody): ContentFormat[] {
  const withImages = scrape_images ?? formats?.includes('images') ?? false;
  return (formats ?? DEFAULT_FORMATS).filter(format => format !== 'images' || withImages);
}

const layOutSession = (
  {
    session,
    ...picture
  }: { readonly session: SessionNode } & Pick<SessionNode, 'screenshot' | 'screenshotIsCut'>,
  _selection: BodySelection,
  { service }: RestContext,
): Body => restLayout.write(sessionShape, { ...session, ...picture }, service);

const layOutEditedSession = (
  session: SessionNode,
  _selection: BodySelection,
  { service }: RestContext,
): Body => restLayout.write(sessionShape, session, service);

/** A longer list of actions is laid out in several turns of the caller. */
const MAX_ACTIONS_AT_ONCE = 200;

async function layOutObservation(
  result: ObservationResult,
  selection: BodySelection,
  { service, turns }: RestContext,
): Promise<Body> {
  const { space, diff } = result;
  const layout = selection.lean ? leanLayout : restLayout;
  const wanted = fieldsIn(selection.fields, 'space');
  if (space === null || wanted === undefined)
    return layout.write(observationShape, result, service, selection.fields);
  const actions =
    space.actions.length > MAX_ACTIONS_AT_ONCE
      ? await layOutInTurns(space, wanted, selection, service, turns)
      : null;
  return layout.write(observationShape, result, service, selection.fields, {
    space: () => spaceBody(space, diff, { ...selection, fields: wanted }, service, actions),
  });
}

/** Lays out a long list of actions, with turns of other callers in between. Null if it is not wanted. */
async function layOutInTurns(
  space: Space,
  wanted: WantedFields,
  { lean, diffOnly }: BodySelection,
  clock: Now,
  turns: RestContext['turns'],
): Promise<Body[] | null> {
  const inner = fieldsIn(wanted, 'actions');
  if (inner === undefined || diffOnly) return null;
  const isLean = lean && inner === ALL_FIELDS;
  const bodies: Body[] = [];
  for (const [index, action] of space.actions.entries()) {
    if (index % MAX_ACTIONS_AT_ONCE === 0) await turns.continue();
    bodies.push(isLean ? leanAction(action, clock) : restLayout.write(actionShape, action, clock, inner));
  }
  return bodies;
}

const NO_LISTS = { actions: [], specialActions: [], browserActions: [] } as const;

/** Lays out a space (`fields` of the selection) and its difference. With `diffOnly`, lists of actions are empty, and `markdown` is the difference's. */
export function spaceBody(
  space: Space,
  diff: SpaceDiff | null,
  { fields, lean, diffOnly }: BodySelection,
  clock: Now,
  actions: Body[] | null = null,
): Body {
  const layout = lean ? leanLayout : restLayout;
  const isReplaced = diffOnly && diff !== null;
  const body = layout.write(spaceShape, isReplaced ? { ...space, ...NO_LISTS } : space, clock, fields, {
    ...(isReplaced && { markdown: () => diffMarkdown(diff) }),
    ...(actions !== null && { actions: () => actions }),
  });
  const wantedDiff = fieldsIn(fields, 'diff');
  if (diff !== null && wantedDiff !== undefined) body.diff = layout.write(diffShape, diff, clock, wantedDiff);
  return body;
}

const withoutData = (selection: BodySelection): BodySelection => {
  const { has } = selection.selection;
  return { ...selection, selection: { has: (name, part) => name !== 'data' && has(name, part) } };
};

const ignored = restFields({ ...keepAliveFields, ...timeoutFields });
const commonExtras = { ...screenshotField, ...aliasField };

const sessionRoute = <Fields extends RequestFields>(
  operation: Operation<Fields, SessionNode>,
  path: string,
  example: object,
): RestRoute =>
  operationRoute({ operation, path, example, response: SessionBody, layOut: layOutEditedSession });

const APPROVAL = { session_id: EXAMPLE_SESSION_ID, approval_id: EXAMPLE_SESSION_ID };

export const operationRoutes: readonly RestRoute[] = [
  operationRoute({
    operation: start,
    path: '/session/start',
    example: { session_timeout_minutes: 5 },
    body: bodyOf(
      'StartRequest',
      start.fields,
      {
        ...restFields(keepAliveFields),
        ...commonExtras,
        session_id: z
          .null('must be absent or null: the service makes the session_id')
          .optional()
          .meta({ description: 'Must be absent or null: every start creates a new session.' }),
      },
      [aliasRule],
    ) as z.ZodType<CommonBody>,
    complete: (request, body) => withTimeout(withScreenshot(request, body), body),
    response: SessionBody,
    layOut: layOutSession,
  }),
  operationRoute({
    operation: observe,
    path: '/env/observe',
    example: { session_id: EXAMPLE_SESSION_ID, url: 'https://example.com/' },
    body: bodyOf('ObserveRequest', observe.fields, { ...commonExtras, ...selectionFields(false) }, [
      aliasRule,
      diffRule,
    ]) as z.ZodType<PageBody>,
    complete: pageRequest,
    toSelection: body => withoutData(toBodySelection(body, false)),
    response: ObservationBody,
    layOut: layOutObservation,
  }),
  operationRoute({
    operation: step,
    path: '/env/step',
    aliases: ['/step'],
    example: { session_id: EXAMPLE_SESSION_ID, action_id: 'L1' },
    body: bodyOf('StepRequest', step.fields, { ...commonExtras, ...selectionFields(false) }, [
      aliasRule,
      diffRule,
    ]) as z.ZodType<PageBody & { readonly action_id: string }>,
    complete: (request, body) => ({
      ...pageRequest(request, body),
      // Over REST only S2 returns content: GraphQL's step returns it after every action, if the input asks for it.
      ...(scrapes(request.actionId) && { content: { formats: DEFAULT_FORMATS } }),
    }),
    toSelection: body => {
      const selection = toBodySelection(body, false);
      return scrapes(body.action_id) ? selection : withoutData(selection);
    },
    response: ObservationBody,
    layOut: layOutObservation,
  }),
  operationRoute({
    operation: scrape,
    path: '/env/scrape',
    example: { url: 'https://example.com/' },
    body: bodyOf(
      'ScrapeRequest',
      scrape.fields,
      {
        ...commonExtras,
        scrape_images: z.boolean().nullish().meta({
          description:
            'true: return `data.images`. false: leave them out. Default: return them only if `formats` names `images`.',
          default: false,
        }),
        ...selectionFields(true),
      },
      [aliasRule, diffRule],
    ) as z.ZodType<ScrapeBody>,
    complete: (request, body) => ({
      ...pageRequest(request, body),
      content: { ...request.content, formats: toFormats(body) },
    }),
    toSelection: body => toBodySelection(body, true),
    response: ObservationBody,
    layOut: layOutObservation,
  }),
  operationRoute({
    operation: close,
    path: '/session/close',
    example: { session_id: EXAMPLE_SESSION_ID },
    body: bodyOf('CloseRequest', close.fields, { ...ignored, ...commonExtras }, [
      aliasRule,
    ]) as z.ZodType<CommonBody>,
    complete: withScreenshot,
    response: SessionBody,
    layOut: layOutSession,
  }),
  sessionRoute(updateSession, '/session/update', {
    session_id: EXAMPLE_SESSION_ID,
    name: 'Order 4711',
    labels: ['shop'],
  }),
  operationRoute({
    operation: extendSession,
    path: '/session/extend',
    example: { session_id: EXAMPLE_SESSION_ID },
    body: bodyOf('ExtendSessionRequest', extendSession.fields, aliasField, [
      aliasRule,
    ]) as z.ZodType<CommonBody>,
    complete: withTimeout,
    response: SessionBody,
    layOut: layOutEditedSession,
  }),
  sessionRoute(requestTakeOver, '/session/request-take-over', {
    session_id: EXAMPLE_SESSION_ID,
    instructions: 'Please sign in.',
  }),
  operationRoute({
    operation: takeOver,
    path: '/session/take-over',
    example: { session_id: EXAMPLE_SESSION_ID, name: 'Ana' },
    response: HoldBody,
    layOut: (hold: Hold, _selection, { service }) => restLayout.write(holdShape, hold, service),
  }),
  sessionRoute(handBack, '/session/hand-back', { session_id: EXAMPLE_SESSION_ID }),
  sessionRoute(approveStep, '/session/approve', APPROVAL),
  sessionRoute(denyStep, '/session/deny', APPROVAL),
];
