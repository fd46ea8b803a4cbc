/** Files of a session in REST responses. */
import { z } from 'zod';

/** The fields of an upload or download that the REST route's GraphQL document selects. */
export interface FileFields {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: string;
}

export const FileBody = z
  .object({
    file_id: z.string().meta({
      description: '`D1` for a download, `U1` for an upload. An id is never used twice in a session.',
    }),
    name: z.string().meta({ description: 'The file name, without a folder.' }),
    bytes: z.int().meta({ description: 'The size of the file in bytes.' }),
    created_at: z.iso
      .datetime({ precision: 3 })
      .meta({ description: 'When the download or upload was complete.' }),
    url: z.string().optional().meta({
      description: 'For a download: relative download URL; GET it with your API key.',
    }),
  })
  .meta({ id: 'SessionFile', description: 'A file of a session.' });

export const fileBody = (file: FileFields & { readonly url?: string }): z.infer<typeof FileBody> => ({
  file_id: file.id,
  name: file.name,
  bytes: file.bytes,
  created_at: file.createdAt,
  ...(file.url !== undefined && { url: file.url }),
});

export const DownloadsBody = z
  .object({ downloads: z.array(FileBody) })
  .meta({ id: 'Downloads', description: 'The files that the pages of a session downloaded.' });

export const UploadsBody = z
  .object({ uploads: z.array(FileBody) })
  .meta({ id: 'Uploads', description: 'The files that were uploaded to a session.' });
