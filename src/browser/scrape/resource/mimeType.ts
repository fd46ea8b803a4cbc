/** A content type without its parameters, in small letters. */
export const mimeType = (contentType: string): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();
