import { type KeyScope, scopesGrant, type Viewer } from '../domain/account/account.ts';
import { Failure } from '../domain/failure/failures.ts';
import { isSessionId } from '../domain/session/session.ts';
import { cutText } from '../domain/space/pageText.ts';
import type { Pagespace } from '../service/pagespace.ts';
import type { RequestFields, RequestOf } from './field.ts';

export interface OperationContext {
  readonly service: Pagespace;
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
}

/** The fields of the result that the caller wants. The service computes no others. */
export interface Selection {
  /** Returns true if the caller wants this path of fields: `selection.has('data', 'markdown')`. */
  has(...path: readonly string[]): boolean;
}

/** An operation as all interfaces use it: its names and words, the fields of its request, the shape of its result, and the function that runs it. */
export interface Operation<Fields extends RequestFields, Result> {
  readonly name: string;
  readonly title: string;
  /** The words, as those of a field. The first sentence says enough for a list of operations. */
  readonly description: string;
  readonly scope: KeyScope;
  readonly request: { readonly name: string; readonly description: string };
  readonly fields: Fields;
  /** Performs a valid request. @throws Failure */
  readonly run: (
    request: RequestOf<Fields>,
    context: OperationContext,
    selection: Selection,
  ) => Promise<Result>;
}

export const operation = <const Fields extends RequestFields, Result>(
  definition: Operation<Fields, Result>,
): Operation<Fields, Result> => definition;

/** Requires that the key of the viewer has the scope that a field of the API needs. @throws Failure SCOPE_DENIED */
export function assertScope({ scopes }: Viewer, scope: KeyScope, name: string): void {
  if (!scopesGrant(scopes, scope)) throw scopeDenied(scope, name);
}

export const scopeDenied = (scope: string, name: string): Failure =>
  new Failure('SCOPE_DENIED', `The API key lacks the scope "${scope}", which ${name} requires.`);

export const sessionNotFound = (id: string): Failure =>
  new Failure('SESSION_NOT_FOUND', `No session of this account has the id "${cutText(id, 64)}".`);

/** Returns a session_id unchanged if it is a UUID. @throws Failure SESSION_NOT_FOUND */
export function parseSessionId(id: string): string {
  if (!isSessionId(id)) throw sessionNotFound(id);
  return id;
}
