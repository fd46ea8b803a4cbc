/** The URIs of MCP resources: `pagespace://sessions/<id>/list`. */

/** The parts of a session that are resources. */
export const SESSION_PARTS = ['list', 'picture', 'events', 'content'] as const;
export type SessionPart = (typeof SESSION_PARTS)[number];

const URI = /^pagespace:\/\/sessions\/([^/]+)\/([a-z]+)$/;

/** Returns the URI of a part of a session. */
export const sessionUri = (sessionId: string, part: string): string =>
  `pagespace://sessions/${sessionId}/${part}`;

/** Returns the session and the part that a URI names; null if it names none. */
export function parseSessionUri(
  uri: string,
): { readonly sessionId: string; readonly part: SessionPart } | null {
  const [, sessionId, name] = URI.exec(uri) ?? [];
  const part = SESSION_PARTS.find(each => each === name);
  return sessionId === undefined || part === undefined ? null : { sessionId, part };
}
