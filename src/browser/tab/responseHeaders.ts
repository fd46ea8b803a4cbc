/** The headers of a response as CDP reports them: their names can have capital letters. */
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
