/** Files of a session. */
import type { SessionFile } from '../../domain/ports/sessionFileStore.ts';
import { shape } from './shape.ts';

export type DownloadNode = SessionFile & { readonly sessionId: string };

const fileFields = {
  name: { type: 'String', description: 'The file name, without a folder.' },
  bytes: { type: 'SafeInt', description: 'Size in bytes.' },
  createdAt: { type: 'DateTime', description: 'When the download or upload was complete.' },
} as const;

export const downloadShape = shape<DownloadNode>()({
  name: 'Download',
  description: 'A file that a page of the session downloaded.',
  fields: {
    id: { type: 'ID', description: '`D1`, `D2`, …: unique in the session.', rest: 'file_id' },
    ...fileFields,
    url: {
      type: 'String',
      description: 'Relative download URL; GET it with your API key.',
      read: ({ sessionId, id }) => `/session/${sessionId}/downloads/${id}`,
    },
  },
});

export const uploadShape = shape<SessionFile>()({
  name: 'Upload',
  restName: 'SessionFile',
  description:
    'A file that was uploaded to the session by `POST /session/{session_id}/uploads`. To choose it in a file input, pass its id as the `value` of a step.',
  fields: {
    id: { type: 'ID', description: '`U1`, `U2`, …: unique in the session.', rest: 'file_id' },
    ...fileFields,
  },
});
