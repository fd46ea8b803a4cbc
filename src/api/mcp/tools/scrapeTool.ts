import { z } from 'zod';
import { normalizeText, toWellFormedJson } from '../../../domain/space/pageText.ts';
import { content } from '../../../operations/content.ts';
import { targetFields } from '../../../operations/page.ts';
import { type ContentFormat, McpScrapeDocument } from '../../graphql/generated/graphql.ts';
import { defineTool } from '../mcpTool.ts';
import { CONTENT_HEAD, pageLine, textResult } from '../toolResult.ts';
import { argument, idempotencyKeyArg, onlyDefault, sessionIdArg, waitForArg } from './toolArgs.ts';

const { onlyMainContent, extract, maxCharacters, cursor } = content.fields;

const DEFAULT_MAX_CHARACTERS = 20_000;

/** Returns the content of a page. */
export const scrapeTool = defineTool({
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
