/** The type of an MCP tool, and the function that creates one. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Failure, isFailure } from '../../domain/failure/failures.ts';
import type { OperationContext } from '../../operations/operation.ts';
import type { Log } from '../graphql/requestContext.ts';
import type { RequestRecord } from '../http/requestRecord.ts';
import { internalFailure, validationFailure } from '../http/validationFailure.ts';
import { errorResult } from './toolResult.ts';

/** The caller of a tool or a resource, the service, and the line of the log. */
export interface McpContext extends OperationContext {
  readonly log: Log;
  readonly record: RequestRecord;
}

/** An MCP tool: what `tools/list` returns of it, and what a call does. */
export interface McpTool {
  readonly listing: Tool;
  /** The scope of an API key that the tool needs. */
  readonly scope: 'read' | 'operate';
  /** Runs a call. Never rejects because of the caller or the page: a failure is a result with `isError`. */
  call(args: unknown, context: McpContext): Promise<CallToolResult>;
}

interface ToolOptions<Args extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses the tool: what it does, in one or two sentences. */
  readonly description: string;
  readonly args: Args;
  readonly scope: McpTool['scope'];
  /** True if a repeated call changes nothing. Default false. */
  readonly idempotent?: boolean;
  readonly run: (args: z.output<Args>, context: McpContext) => Promise<CallToolResult>;
}

/**
 * The shape of every structured result. `text` is the text of the result: some hosts show a model only the structured
 * result, others only the text. Handles such as `session_id` stand beside it.
 */
const OUTPUT_SCHEMA: Tool['outputSchema'] = {
  type: 'object',
  properties: { text: { type: 'string' } },
};

/** Returns the failure for an error, whose code the line of the log then has. An error that is not a Failure is a bug: it is logged. */
export function toFailure(error: unknown, context: McpContext): Failure {
  const failure = isFailure(error) ? error : internalFailure(error, context);
  context.record.failureCode = failure.code;
  return failure;
}

/** Creates a tool that validates its arguments and turns failures into results with `isError`. */
export function defineTool<Args extends z.ZodObject>(options: ToolOptions<Args>): McpTool {
  const { name, title, description, args, scope, idempotent = scope === 'read', run } = options;
  return {
    scope,
    listing: {
      name,
      title,
      description,
      inputSchema: inputSchema(args),
      outputSchema: OUTPUT_SCHEMA,
      annotations: annotationsOf(scope, name === 'step', idempotent),
    },
    async call(given, context) {
      try {
        const parsed = args.safeParse(given ?? {});
        if (!parsed.success) throw validationFailure(parsed.error, args);
        return await run(parsed.data, context);
      } catch (error) {
        return errorResult(toFailure(error, context));
      }
    },
  };
}

/** Returns the annotations that differ from the defaults of the protocol. */
const annotationsOf = (
  scope: McpTool['scope'],
  isDestructive: boolean,
  isIdempotent: boolean,
): NonNullable<Tool['annotations']> =>
  scope === 'read'
    ? { readOnlyHint: true, openWorldHint: false }
    : // A step can send a form, as a person can. Nothing else changes anything outside the session.
      { destructiveHint: isDestructive, ...(isIdempotent && { idempotentHint: true }) };

/** Keywords that the service checks, and that would only make the listing longer. */
const UNLISTED = [
  'maxLength',
  'minLength',
  'minimum',
  'maximum',
  'pattern',
  'format',
  'contentEncoding',
  'propertyNames',
] as const;

function inputSchema(args: z.ZodObject): Tool['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(args, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const keyword of UNLISTED) delete jsonSchema[keyword];
      // The values of an enumeration say that they are strings.
      if (jsonSchema.enum !== undefined) delete jsonSchema.type;
    },
  });
  return schema as Tool['inputSchema'];
}
