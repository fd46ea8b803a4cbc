/** Giving files to a file input. */
import { Failure } from '../../domain/failures.ts';
import type { Acting } from './acting.ts';

/** Files can be given once they can be uploaded to the session; until then the step says so. */
export async function chooseFiles(acting: Acting): Promise<void> {
  throw new Failure(
    'ACTION_BLOCKED',
    `${acting.listed.id} takes the id of an uploaded file, and this session has no uploaded files.`,
  );
}
