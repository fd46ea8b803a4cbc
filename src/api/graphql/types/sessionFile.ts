/** Files of a session: its downloads and uploads. */
import type { SessionFile } from '../../../domain/ports/sessionFileStore.ts';
import { builder } from '../builder.ts';
import { SessionType } from './session.ts';

/** Where the bytes of a download are, relative to the service. */
export const downloadPath = (sessionId: string, fileId: string): string =>
  `/session/${sessionId}/downloads/${fileId}`;

type DownloadNode = SessionFile & { readonly sessionId: string };

const Download = builder.objectRef<DownloadNode>('Download').implement({
  description: 'A file that a page of the session downloaded.',
  fields: t => ({
    id: t.exposeID('id', { description: '`D1`, `D2`: never used again in the session.' }),
    name: t.exposeString('name', { description: 'What it is called, without any folder.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Its size in bytes: a whole number.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was kept.' }),
    url: t.string({
      description:
        'Where its bytes are had, by GET with the key. A path: it stands below the address of this service.',
      resolve: ({ sessionId, id }) => downloadPath(sessionId, id),
    }),
  }),
});

const Upload = builder.objectRef<SessionFile>('Upload').implement({
  description:
    'A file that was uploaded to the session (`POST /session/{id}/uploads`). A step on a file input takes its id as the value.',
  fields: t => ({
    id: t.exposeID('id', { description: '`U1`, `U2`: never used again in the session.' }),
    name: t.exposeString('name', { description: 'What it is called, without any folder.' }),
    bytes: t.expose('bytes', { type: 'SafeInt', description: 'Its size in bytes: a whole number.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was kept.' }),
  }),
});

builder.objectFields(SessionType, t => ({
  downloads: t.field({
    type: [Download],
    description: 'What its pages downloaded, in the order of its beginning.',
    resolve: async ({ id }, _args, { service }) =>
      (await service.listFiles(id, 'download')).map(file => ({ ...file, sessionId: id })),
  }),
  uploads: t.field({
    type: [Upload],
    description: 'What was uploaded to it, in the order of its coming.',
    resolve: async ({ id }, _args, { service }) => [...(await service.listFiles(id, 'upload'))],
  }),
}));
