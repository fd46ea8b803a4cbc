/** Records which GraphQL operation a request runs. */
import { type ExecutionArgs, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../requestContext.ts';

/** Sets `operation` of the request's log line to the type and root fields, for example `query session, viewer`. */
export const recordOperationPlugin: Plugin = {
  onExecute: ({ args }) => recordOperation(args),
  onSubscribe: ({ args }) => recordOperation(args),
};

// Logs the names of fields, which the validation has checked against the schema, and not the operation's name, which is the
// caller's text.
function recordOperation({ document, operationName, contextValue }: ExecutionArgs): void {
  const operation = getOperationAST(document, operationName);
  if (operation == null) return;
  const names = operation.selectionSet.selections.map(selection =>
    selection.kind === Kind.FIELD ? selection.name.value : '…',
  );
  const { record } = contextValue as RequestContext;
  record.operation = `${operation.operation} ${[...new Set(names)].join(', ')}`;
}
