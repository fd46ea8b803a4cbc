/** The MIME type of a Content-Type header: in lower case, without parameters. */
export const mimeType = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();
