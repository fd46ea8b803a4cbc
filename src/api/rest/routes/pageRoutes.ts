/** Observe, step and scrape. */
import { DEFAULT_FORMATS } from '../../../domain/contentParts.ts';
import { ObserveDocument, ScrapeDocument, StepDocument } from '../../graphql/generated/graphql.ts';
import { toEnumName } from '../../http/enumName.ts';
import { ObservationBody, observationBody } from '../bodies/observationBody.ts';
import { ObserveBody, ScrapeBody, StepBody } from '../bodies/requestBodies.ts';
import { toContentInput, toPageInput } from './operationInputs.ts';
import { EXAMPLE_SESSION_ID, jsonRoute, type RestRoute } from './route.ts';

export const pageRoutes: readonly RestRoute[] = [
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
    toResponse: ({ observe }, body) => observationBody(observe, body.diff_only ?? false),
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
        content: { formats: DEFAULT_FORMATS.map(toEnumName) },
      },
    }),
    toResponse: ({ step }, body) => observationBody(step, body.diff_only ?? false),
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
    toResponse: ({ scrape }, body) => observationBody(scrape, body.diff_only ?? false),
  }),
];
