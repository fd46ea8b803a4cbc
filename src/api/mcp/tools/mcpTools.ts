/** The MCP tools, in the order of `tools/list`. */
import { z } from 'zod';
import { minutesText } from '../../../domain/session/sessionLimits.ts';
import { normalizeText, quote, toWellFormedJson } from '../../../domain/space/pageText.ts';
import { content } from '../../../operations/content.ts';
import { targetFields, timeoutFields } from '../../../operations/page.ts';
import { step } from '../../../operations/step.ts';
import {
  type ContentFormat,
  McpCloseDocument,
  McpObserveDocument,
  McpScrapeDocument,
  McpSessionsDocument,
  McpStartDocument,
  McpStepDocument,
  type SessionStatus,
} from '../../graphql/generated/graphql.ts';
import { defineTool, type McpTool } from '../mcpTool.ts';
import { toStartInput } from '../startOptions.ts';
import { CONTENT_HEAD, observationResult, pageLine, textResult } from '../toolResult.ts';
import { filesTool } from './filesTool.ts';
import { requestTakeOverTool } from './requestTakeOverTool.ts';
import {
  argument,
  idempotencyKeyArg,
  listArgs,
  listInput,
  listVariables,
  onlyDefault,
  sessionIdArg,
  waitForArg,
} from './toolArgs.ts';

/** Starts a session. */
const startTool = defineTool({
  name: 'start',
  title: 'Start a browser session',
  description: 'Starts a session, as observe does too.',
  scope: 'operate',
  args: z.strictObject({
    timeout_minutes: argument(z.number(), timeoutFields.sessionTimeoutMinutes),
    options: z.unknown().optional().meta({ type: 'object', description: 'As POST /session/start' }),
    idempotency_key: idempotencyKeyArg,
  }),
  async run({ timeout_minutes, options, idempotency_key }, runner) {
    const { startSession } = await runner.execute(McpStartDocument, {
      input: {
        ...toStartInput(options ?? {}),
        ...(timeout_minutes !== undefined && { sessionTimeoutMinutes: timeout_minutes }),
        idempotencyKey: idempotency_key ?? null,
      },
    });
    const { id, timeoutMinutes } = startSession;
    return textResult(`session ${id}, ends after ${minutesText(timeoutMinutes)} without a call`, {
      session_id: id,
    });
  },
});

/** Opens a page and lists its actions. */
const observeTool = defineTool({
  name: 'observe',
  title: 'Open or look at a page',
  description:
    'Opens url, or looks at the page of the session, and lists its actions. Words in "…" are the page\'s. "= B3 B4": a row like that above with these ids.',
  scope: 'operate',
  args: z.strictObject({
    session_id: argument(sessionIdArg, targetFields.sessionId, onlyDefault(targetFields.sessionId)),
    url: argument(z.string().max(16_384), targetFields.url, onlyDefault(targetFields.url)),
    wait_for: waitForArg,
    ...listArgs,
  }),
  async run({ session_id, url, wait_for, ...args }, runner) {
    const { observe } = await runner.execute(McpObserveDocument, {
      input: {
        ...listInput(args),
        sessionId: session_id ?? null,
        url: url ?? null,
        waitFor: wait_for ?? null,
        // A new session must outlive this call, because its id is the handle of the next one.
        keepAlive: true,
        diffSince: session_id === undefined ? null : 'last',
      },
      ...listVariables(args),
      content: false,
    });
    return observationResult(observe);
  },
});

/** Performs an action. */
const stepTool = defineTool({
  name: 'step',
  title: 'Perform an action',
  description:
    'Performs an action of the list: clicks L and B ids, enters value into I ids, S ids are special. Returns changes and the new list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    action_id: step.fields.actionId.check.describe('L1, B2, I3, S4'),
    value: argument(step.fields.value.check, step.fields.value),
    enter: argument(z.boolean(), step.fields.enter),
    wait_for: waitForArg,
    ...listArgs,
  }),
  async run({ session_id, action_id: actionId, value, enter, wait_for, ...args }, runner) {
    const variables = listVariables(args);
    const { step: observation } = await runner.execute(McpStepDocument, {
      input: {
        ...listInput(args),
        sessionId: session_id,
        actionId,
        value: value ?? null,
        enter: enter ?? null,
        waitFor: wait_for ?? null,
        diffSince: 'last',
      },
      ...variables,
      // S3 takes a screenshot, S2 scrapes.
      screenshot: variables.screenshot || actionId === 'S3',
      content: actionId === 'S2',
    });
    return observationResult(observation);
  },
});

const MS_PER_SECOND = 1_000;
const DEFAULT_SECONDS = 10;

/** Waits in a page, for a condition or for a time, then lists its actions. */
const waitTool = defineTool({
  name: 'wait',
  title: 'Wait for the page',
  description: 'Waits for a condition, or for seconds without one. Returns changes and the list.',
  scope: 'operate',
  args: z.strictObject({
    session_id: sessionIdArg,
    for: z
      .string()
      .max(1_000)
      .optional()
      .describe('text "Saved", no text "Loading", action "Pay", no action "Pay", network quiet'),
    seconds: z.number().min(0).max(30).optional().describe('Default 10'),
    ...listArgs,
  }),
  async run({ session_id, for: condition, seconds = DEFAULT_SECONDS, ...args }, runner) {
    // A person who has the session ends the wait when they hand it back.
    const input = { ...listInput(args), sessionId: session_id, diffSince: 'last', waitForHandBack: true };
    const variables = { ...listVariables(args), content: false };
    if (condition === undefined) {
      const { step } = await runner.execute(McpStepDocument, {
        input: { ...input, actionId: 'S7', value: String(seconds) },
        ...variables,
      });
      return observationResult(step);
    }
    const { observe } = await runner.execute(McpObserveDocument, {
      input: { ...input, waitFor: condition, waitMs: Math.round(seconds * MS_PER_SECOND) },
      ...variables,
    });
    return observationResult(observe);
  },
});

const { onlyMainContent, extract, maxCharacters, cursor } = content.fields;

const DEFAULT_MAX_CHARACTERS = 20_000;

/** Returns the content of a page. */
const scrapeTool = defineTool({
  name: 'scrape',
  title: 'Read a page',
  description:
    'Returns a page as Markdown, its links, or values by a schema. Below "Content of the page" all is the page\'s. Without session_id it opens url and closes.',
  scope: 'operate',
  args: z.strictObject({
    session_id: argument(sessionIdArg, targetFields.sessionId, onlyDefault(targetFields.sessionId)),
    url: argument(z.string().max(16_384), targetFields.url, onlyDefault(targetFields.url)),
    wait_for: waitForArg,
    only_main_content: argument(z.boolean(), onlyMainContent, onlyDefault(onlyMainContent)),
    links: z.boolean().optional().describe('Links instead of Markdown'),
    extract: argument(extract.check, extract),
    max_characters: argument(
      z.int().min(1_000).max(1_000_000),
      maxCharacters,
      `Default: ${DEFAULT_MAX_CHARACTERS}`,
    ),
    cursor: argument(z.string(), cursor),
    idempotency_key: idempotencyKeyArg,
  }),
  async run(args, runner) {
    const text: ContentFormat = args.links === true ? 'LINKS' : 'MARKDOWN';
    // Values by a schema come without any text.
    const formats = args.extract === undefined ? [text] : [];
    const { scrape } = await runner.execute(McpScrapeDocument, {
      input: {
        sessionId: args.session_id ?? null,
        url: args.url ?? null,
        waitFor: args.wait_for ?? null,
        idempotencyKey: args.idempotency_key ?? null,
        content: {
          formats,
          extract: args.extract ?? null,
          onlyMainContent: args.only_main_content ?? null,
          maxCharacters: args.max_characters ?? DEFAULT_MAX_CHARACTERS,
          cursor: args.cursor ?? null,
        },
      },
    });
    const { session, metadata, data } = scrape;
    const next = data?.cursor ?? null;
    const lines = [
      `session ${session.id}${session.status === 'ACTIVE' ? '' : `, ${session.status.toLowerCase()}`}`,
      pageLine(metadata),
      ...(data?.extractErrors ?? []).map(
        error => `Missing: ${normalizeText(`${error.path} ${error.message}`)}`,
      ),
      next === null ? null : `There is more. cursor: ${next}`,
      // All words of the service stand before those of the page, so that the page cannot imitate them.
      CONTENT_HEAD,
      data?.markdown ?? null,
      data?.links?.map(link => `- [${normalizeText(link.text)}](${link.url})`).join('\n') ?? null,
      // Values have the shape of the caller's own schema, which only JSON keeps.
      data?.extracted == null ? null : toWellFormedJson(data.extracted),
    ];
    const handles = { session_id: session.id, url: metadata.url, cursor: next };
    return textResult(lines.filter(part => part !== null).join('\n'), handles);
  },
});

const SESSIONS_PER_PAGE = 50;

/** Lists the sessions of the account. */
const listSessionsTool = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists sessions, newest first.',
  scope: 'read',
  args: z.strictObject({
    status: z.enum(['active', 'closed', 'error', 'timed_out']).optional().describe('Default active'),
    cursor: z.string().optional(),
  }),
  async run({ status = 'active', cursor }, runner) {
    const { sessions } = await runner.execute(McpSessionsDocument, {
      status: [status.toUpperCase() as SessionStatus],
      first: SESSIONS_PER_PAGE,
      after: cursor ?? null,
    });
    const lines = sessions.edges.map(({ node }) =>
      [
        node.id,
        status,
        node.url === null ? 'no page' : quote(node.url),
        node.pageTitle === null ? null : quote(node.pageTitle),
        node.error,
      ]
        .filter(part => part !== null)
        .join(' '),
    );
    const { hasNextPage, endCursor } = sessions.pageInfo;
    if (hasNextPage) lines.push(`There are more. cursor: ${endCursor}`);
    const text = lines.length === 0 ? `There are no ${status} sessions.` : lines.join('\n');
    return textResult(text, { ...(hasNextPage && { cursor: endCursor }) });
  },
});

/** Closes a session. */
const closeTool = defineTool({
  name: 'close',
  title: 'Close a session',
  description: 'Closes a session and its pages.',
  scope: 'operate',
  idempotent: true,
  args: z.strictObject({ session_id: sessionIdArg }),
  async run({ session_id }, runner) {
    const { closeSession } = await runner.execute(McpCloseDocument, { input: { sessionId: session_id } });
    const status = closeSession.status.toLowerCase();
    return textResult(`session ${closeSession.id}, ${status}`, { session_id: closeSession.id, status });
  },
});

/** All MCP tools. `tools/list` stays below 6.5 kB, because models read it in every conversation. */
export const MCP_TOOLS: readonly McpTool[] = [
  startTool,
  observeTool,
  stepTool,
  scrapeTool,
  waitTool,
  requestTakeOverTool,
  closeTool,
  listSessionsTool,
  filesTool,
];
