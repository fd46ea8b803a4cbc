/** Files of a session in REST's words. */
import { z } from 'zod';

/** A file as the documents of this folder answer it. */
export interface FileFields {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly createdAt: string;
}

/** One file. */
export const FileBody = z
  .object({
    file_id: z.string().meta({
      description: '`D1` for downloads, `U1` for uploads: never used again in the session.',
    }),
    name: z.string().meta({ description: 'What it is called, without any folder.' }),
    bytes: z.int().meta({ description: 'Its size.' }),
    created_at: z.iso.datetime({ precision: 3 }),
    url: z.string().optional().meta({
      description: 'Of a download: where its bytes are had with the key, relative to this service.',
    }),
  })
  .meta({ id: 'SessionFile', description: 'A file of a session.' });

export const fileBody = (facts: FileFields & { readonly url?: string }): z.infer<typeof FileBody> => ({
  file_id: facts.id,
  name: facts.name,
  bytes: facts.bytes,
  created_at: facts.createdAt,
  ...(facts.url !== undefined && { url: facts.url }),
});

export const DownloadsBody = z
  .object({ downloads: z.array(FileBody) })
  .meta({ id: 'Downloads', description: 'What the pages of a session downloaded.' });

export const UploadsBody = z
  .object({ uploads: z.array(FileBody) })
  .meta({ id: 'Uploads', description: 'What was uploaded to a session.' });
