/** The routes of the five operations: start, observe, step, scrape and close. */
import { DEFAULT_FORMATS } from '../../../domain/content/contentParts.ts';
import { findSpecialAction } from '../../../domain/specialActions/specialActions.ts';
import {
  CloseSessionDocument,
  ObserveDocument,
  ScrapeDocument,
  StartSessionDocument,
  StepDocument,
} from '../../graphql/generated/graphql.ts';
import { toEnumName } from '../../http/enumName.ts';
import { ObservationBody, observationBody } from '../bodies/observationBody.ts';
import { toBodySelection } from '../bodies/observationFields.ts';
import { CloseBody, ObserveBody, ScrapeBody, StartBody, StepBody } from '../bodies/requestBodies.ts';
import { SessionBody, sessionBody } from '../bodies/sessionBody.ts';
import { toContentInput, toOperationInput, toPageInput, toTimeoutInput } from './operationInputs.ts';
import { EXAMPLE_SESSION_ID, jsonRoute, type RestRoute } from './route.ts';

const withScreenshot = (session: SessionBody, screenshot: string | null): SessionBody =>
  screenshot === null ? session : { ...session, screenshot };

const scrapes = (actionId: string): boolean =>
  findSpecialAction(actionId.trim().toUpperCase())?.requests === 'scrape';

export const operationRoutes: readonly RestRoute[] = [
  jsonRoute({
    method: 'POST',
    path: '/session/start',
    title: 'Start a session',
    description: 'Starts a session and returns its session_id.',
    request: StartBody,
    example: { session_timeout_minutes: 5 },
    response: SessionBody,
    document: StartSessionDocument,
    toVariables: body => ({
      input: {
        ...toOperationInput(body),
        ...toTimeoutInput(body),
        spendCapMicros: body.spend_cap_micros ?? null,
        proxy: body.proxy ?? null,
      },
    }),
    toResponse: ({ startSession }) => withScreenshot(sessionBody(startSession), startSession.screenshot),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/observe',
    title: 'Observe a page',
    description: 'Opens a page and lists the actions on it.',
    request: ObserveBody,
    example: { session_id: EXAMPLE_SESSION_ID, url: 'https://example.com/' },
    response: ObservationBody,
    document: ObserveDocument,
    toVariables: body => ({
      input: { ...toPageInput(body), sessionId: body.session_id ?? null, url: body.url ?? null },
    }),
    toSelection: body => toBodySelection(body, false),
    toResponse: ({ observe }, _body, selection) => observationBody(observe, selection),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/step',
    aliases: ['/step'],
    title: 'Perform an action',
    description: 'Performs one action, waits until the page has settled, and observes the page.',
    request: StepBody,
    example: { session_id: EXAMPLE_SESSION_ID, action_id: 'L1' },
    response: ObservationBody,
    document: StepDocument,
    toVariables: body => ({
      input: {
        ...toPageInput(body),
        sessionId: body.session_id,
        actionId: body.action_id,
        value: body.value ?? null,
        enter: body.enter ?? null,
        // Over REST only S2 returns content: GraphQL's step would return it after every action.
        content: scrapes(body.action_id) ? { formats: DEFAULT_FORMATS.map(toEnumName) } : null,
      },
    }),
    toSelection: body => toBodySelection(body, false),
    toResponse: ({ step }, _body, selection) => observationBody(step, selection),
  }),
  jsonRoute({
    method: 'POST',
    path: '/env/scrape',
    title: 'Scrape a page',
    description: 'Extracts the content of a page.',
    request: ScrapeBody,
    example: { url: 'https://example.com/' },
    response: ObservationBody,
    document: ScrapeDocument,
    toVariables: body => ({
      input: {
        ...toPageInput(body),
        sessionId: body.session_id ?? null,
        url: body.url ?? null,
        content: toContentInput(body),
      },
    }),
    toSelection: body => toBodySelection(body, true),
    toResponse: ({ scrape }, _body, selection) => observationBody(scrape, selection),
  }),
  jsonRoute({
    method: 'POST',
    path: '/session/close',
    title: 'Close a session',
    description: 'Closes a session. For a session that has ended already, returns its final status.',
    request: CloseBody,
    example: { session_id: EXAMPLE_SESSION_ID },
    response: SessionBody,
    document: CloseSessionDocument,
    toVariables: body => ({ input: { ...toOperationInput(body), sessionId: body.session_id } }),
    toResponse: ({ closeSession }) => withScreenshot(sessionBody(closeSession), closeSession.screenshot),
  }),
];
