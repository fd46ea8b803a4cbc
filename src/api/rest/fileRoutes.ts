/** The rows of files: what pages downloaded, and what they are to be given. */

import { json } from '../exchange.ts';
import { isoTime } from '../failureFacts.ts';
import { ListDownloadsDocument, ListUploadsDocument } from '../graphql/generated/graphql.ts';
import { knownForm, sessionNotFound } from '../graphql/session.ts';
import { DownloadsBody, FileBody, fileBody, UploadsBody } from './fileBody.ts';
import { DownloadQuery, ReadQuery, UploadQuery } from './requestBodies.ts';
import { fileRoute, type Route, route } from './route.ts';

export const fileRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/session/{session_id}/downloads',
    title: 'List downloads',
    description: 'What the pages of a session downloaded.',
    request: ReadQuery,
    response: DownloadsBody,
    document: ListDownloadsDocument,
    variables: query => ({ id: query.session_id }),
    answer: ({ session }, query) => {
      if (session === null) throw sessionNotFound(query.session_id);
      return { downloads: session.downloads.map(fileBody) };
    },
  }),
  fileRoute({
    method: 'GET',
    path: '/session/{session_id}/downloads/{download_id}',
    title: 'Take a download',
    description: 'The bytes of a downloaded file, always as an attachment and never as what it says it is.',
    takes: null,
    request: DownloadQuery,
    response: null,
    answer: async ({ session_id, download_id }, { context: { service, viewer } }) => {
      const { file, bytes } = await service.download(viewer, knownForm(session_id), download_id);
      return {
        status: 200,
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(file.bytes),
          'content-disposition': attachment(file.name),
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'no-store',
        },
        body: bytes,
      };
    },
  }),
  route({
    method: 'GET',
    path: '/session/{session_id}/uploads',
    title: 'List uploads',
    description: 'What was uploaded to a session.',
    request: ReadQuery,
    response: UploadsBody,
    document: ListUploadsDocument,
    variables: query => ({ id: query.session_id }),
    answer: ({ session }, query) => {
      if (session === null) throw sessionNotFound(query.session_id);
      return { uploads: session.uploads.map(fileBody) };
    },
  }),
  fileRoute({
    method: 'POST',
    path: '/session/{session_id}/uploads',
    title: 'Upload a file',
    description:
      'Keeps the body, of whatever type, as a file of the session. A step on a file input takes the `file_id` as its value.',
    takes: 'bytes',
    request: UploadQuery,
    example: { session_id: '0b4a7c5e-3f0d-4c1e-9a57-6c1f0f2f9a11', name: 'photo.jpg' },
    response: FileBody,
    answer: async ({ session_id, name }, { context: { service, viewer }, exchange }) => {
      const file = await service.upload(viewer, {
        sessionId: knownForm(session_id),
        name: name ?? headerName(exchange.headers['x-file-name']) ?? 'file',
        pieces: exchange.pieces(),
        signal: exchange.signal,
      });
      return json(200, fileBody({ ...file, createdAt: isoTime(file.createdAt) }));
    },
  }),
];

function headerName(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header === '') return null;
  try {
    return decodeURIComponent(header);
  } catch {
    // Not percent-encoded: it is the name as it stands.
    return header;
  }
}

/** RFC 6266: a plain name for old readers, the true one in UTF-8. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
