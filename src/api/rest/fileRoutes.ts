import { z } from 'zod';
import { Failure } from '../../domain/failure/failures.ts';
import type { SessionFile } from '../../domain/ports/sessionFileStore.ts';
import { parseSessionId } from '../../operations/operation.ts';
import { downloadShape, uploadShape } from '../../operations/results/session.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { type HttpResponse, jsonResponse } from '../http/httpResponse.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { EXAMPLE_SESSION_ID, fileRoute, type RestRoute } from './route.ts';
import { bodySchema, restLayout } from './selection.ts';
import { exportFormatOf, exportResponse } from './sessionExport.ts';

/** Headers of a picture: a browser may keep it for as long as its address is valid. */
export const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=900, immutable',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export const linkRoute = (service: Pagespace): HttpRoute =>
  getRoute('/files/{token}', async (_http, { token = '' }) => {
    const { viewer, file } = await service.resolveLink(token);
    const { sessionId, kind, id } = file;
    if (kind === 'download') return downloadResponse(await service.openDownload(viewer, sessionId, id));
    if (kind === 'export') return exportResponse(service, viewer, sessionId, exportFormatOf(id));
    const entry = await service.recordedEntry(sessionId, kind, Number(id));
    if (entry === null) throw new Failure('RECORD_EXPIRED', 'This picture is not stored any more.');
    // Who has the address may see the picture: pages of other origins show it, too.
    const headers = { ...PICTURE_HEADERS, 'cross-origin-resource-policy': 'cross-origin' };
    return { status: 200, headers, body: Buffer.from(entry.body, 'base64') };
  });

const sessionId = z.string().meta({ description: 'The session_id, as /session/start returned it.' });

export const SessionQuery = z.strictObject({ session_id: sessionId });

const DownloadQuery = z.strictObject({
  session_id: sessionId,
  download_id: z
    .string()
    .meta({ description: 'The file_id, as the list of downloads has it.', examples: ['D1'] }),
});

const UploadQuery = z.strictObject({
  session_id: sessionId,
  name: z.string().max(1_000, 'must be at most 1,000 characters').optional().meta({
    description: 'The name of the file. The header X-File-Name, percent-encoded, does the same.',
  }),
});

const { url } = bodySchema(downloadShape).shape;

export const FileBody = bodySchema(uploadShape, { url: (url as z.ZodString).optional() });

export const fileRoutes: readonly RestRoute[] = [
  fileRoute({
    method: 'GET',
    path: '/session/{session_id}/downloads/{download_id}',
    title: 'Get a download',
    description:
      'Returns the bytes of a downloaded file, always as an attachment with the type application/octet-stream.',
    bodyType: null,
    request: DownloadQuery,
    response: null,
    respond: async ({ session_id, download_id }, { context: { service, viewer } }) => {
      return downloadResponse(await service.openDownload(viewer, parseSessionId(session_id), download_id));
    },
  }),
  fileRoute({
    method: 'POST',
    path: '/session/{session_id}/uploads',
    title: 'Upload a file',
    description:
      'Stores the request body, of any type, as a file of the session. A step on a file input takes the `file_id` as its value.',
    bodyType: 'bytes',
    request: UploadQuery,
    example: { session_id: EXAMPLE_SESSION_ID, name: 'photo.jpg' },
    response: FileBody,
    respond: async ({ session_id, name }, { context: { service, viewer }, http }) => {
      assertNoForm(http.headers['content-type']);
      const file = await service.uploadFile(viewer, {
        sessionId: parseSessionId(session_id),
        name: name ?? decodeFileName(http.headers['x-file-name']) ?? 'file',
        chunks: http.readChunks(),
        announcedBytes: announcedBytes(http.headers['content-length']),
        signal: http.signal,
      });
      return jsonResponse(200, restLayout.write(uploadShape, file, service));
    },
  }),
];

/** Returns the response with the bytes of a download, as an attachment. */
export const downloadResponse = ({
  file,
  bytes,
}: {
  readonly file: SessionFile;
  readonly bytes: ReadableStream<Uint8Array>;
}): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/octet-stream',
    'content-length': String(file.bytes),
    'content-disposition': contentDisposition(file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  },
  body: bytes,
});

/** Returns the size that a Content-Length announces; null if there is none, as with chunked transfer. */
const announcedBytes = (contentLength: string | undefined): number | null =>
  contentLength === undefined ? null : Number(contentLength);

/** Refuses a form (`curl -F`): its file would be stored with the lines of the form around it. @throws Failure UNSUPPORTED_MEDIA_TYPE */
function assertNoForm(contentType: string | undefined): void {
  if (!/^\s*multipart\/form-data\b/i.test(contentType ?? '')) return;
  const detail =
    'Send the bytes of the file as the body, not a form: curl --data-binary @photo.jpg, not curl -F. The query has its name.';
  throw new Failure('UNSUPPORTED_MEDIA_TYPE', detail);
}

function decodeFileName(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header === '') return null;
  try {
    return decodeURIComponent(header);
  } catch {
    // Invalid percent-encoding: use the header as the name.
    return header;
  }
}

/** Returns a Content-Disposition header (RFC 6266): an ASCII name for old clients, and the exact name in UTF-8. */
function contentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
