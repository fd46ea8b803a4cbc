/** Downloads and uploads of a session. */
import type { SessionFile } from '../../../domain/ports/sessionFileStore.ts';
import { builder } from '../builder.ts';
import { FOLDER_COST } from '../readCosts.ts';
import { SessionType } from './session.ts';

/** Returns the REST path of the service that returns the bytes of a download. */
const downloadPath = (sessionId: string, fileId: string): string =>
  `/session/${sessionId}/downloads/${fileId}`;

type DownloadNode = SessionFile & { readonly sessionId: string };

const Download = builder.objectRef<DownloadNode>('Download').implement({
  description: 'A file that a page of the session downloaded.',
  fields: t => ({
    id: t.exposeID('id', { description: '`D1`, `D2`, …: unique in the session.' }),
    name: t.exposeString('name', { description: 'The file name, without a folder.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Size in bytes.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the download was complete.' }),
    url: t.string({
      description: 'Relative download URL; GET it with your API key.',
      resolve: ({ sessionId, id }) => downloadPath(sessionId, id),
    }),
  }),
});

const Upload = builder.objectRef<SessionFile>('Upload').implement({
  description:
    'A file that was uploaded to the session by `POST /session/{session_id}/uploads`. To choose it in a file input, pass its `id` as the `value` of a step.',
  fields: t => ({
    id: t.exposeID('id', { description: '`U1`, `U2`, …: unique in the session.' }),
    name: t.exposeString('name', { description: 'The file name, without a folder.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Size in bytes.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the upload was complete.' }),
  }),
});

builder.objectFields(SessionType, t => ({
  downloads: t.field({
    type: [Download],
    complexity: { field: FOLDER_COST, multiplier: 10 },
    description:
      'Files that the pages of the session downloaded, in the order in which the downloads started.',
    resolve: async ({ id }, _args, { service }) =>
      (await service.listFiles(id, 'download')).map(file => ({ ...file, sessionId: id })),
  }),
  uploads: t.field({
    type: [Upload],
    complexity: { field: FOLDER_COST, multiplier: 10 },
    description: 'Files that were uploaded to the session, oldest first.',
    resolve: async ({ id }, _args, { service }) => [...(await service.listFiles(id, 'upload'))],
  }),
}));
