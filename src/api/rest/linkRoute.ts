/** `GET /files/{token}`: a file by its signed address, without an API key. */
import { Failure } from '../../domain/failure/failures.ts';
import type { Pagespace } from '../../service/pagespace.ts';
import { getRoute, type HttpRoute } from '../http/httpRoute.ts';
import { downloadResponse } from './fileRoutes.ts';

/** Headers of a picture: a browser may keep it for as long as its address is valid. */
export const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=900, immutable',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Creates the route. */
export const linkRoute = (
  service: Pick<Pagespace, 'resolveLink' | 'recordedEntry' | 'openDownload'>,
): HttpRoute =>
  getRoute('/files/{token}', async (_http, { token = '' }) => {
    const { viewer, file } = await service.resolveLink(token);
    const { sessionId, kind, id } = file;
    if (kind === 'download') return downloadResponse(await service.openDownload(viewer, sessionId, id));
    const entry = await service.recordedEntry(sessionId, kind, Number(id));
    if (entry === null) throw new Failure('RECORD_EXPIRED', 'This picture is not stored any more.');
    return { status: 200, headers: PICTURE_HEADERS, body: Buffer.from(entry.body, 'base64') };
  });
