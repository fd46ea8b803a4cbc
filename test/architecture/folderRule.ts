/** A row of the table of folders and their imports. */

export interface FolderRule {
  /** A folder or file, relative to src/. A path belongs to the longest rule that matches it. */
  readonly path: string;
  /** Folders (without the folders inside them that have a rule of their own) or single files, beside the folder itself. */
  readonly mayImport: readonly string[];
  /** Folders or files of which only types may be imported. */
  readonly mayImportTypesOf?: readonly string[];
}

export const SERVICE_INTERFACE = 'service/pagespace.ts';
