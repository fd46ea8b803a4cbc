/** The states of a download at the time of an answer. `refused`: above a limit, or it failed. */
export const DOWNLOAD_STATES = ['running', 'stored', 'refused'] as const;
export type DownloadState = (typeof DOWNLOAD_STATES)[number];

/** A download that the last operation has started. */
export interface StartedDownload {
  /** Id of the stored file, such as `D1`; null while it is not stored. */
  readonly id: string | null;
  readonly name: string;
  readonly state: DownloadState;
}
