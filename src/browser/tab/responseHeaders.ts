/** Reads responses as CDP reports them: the names of headers can have capital letters. */
/** Returns the Content-Type header of a response, which may contain the charset; without a header, the type that Chromium detected. */
export function contentTypeOf({
  headers,
  mimeType,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly mimeType: string;
}): string {
  return headerOf(headers, 'content-type') || mimeType;
}

/** Returns the value of a header by its name in lower case; undefined without one. */
export function headerOf(
  headers: Readonly<Record<string, string>>,
  lowerCaseName: string,
): string | undefined {
  const name = Object.keys(headers).find(key => key.toLowerCase() === lowerCaseName);
  return name === undefined ? undefined : headers[name];
}

/** True for the status of a successful response that has a body; false for null, the status of no response. */
export const hasBody = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300 && status !== 204 && status !== 205;
