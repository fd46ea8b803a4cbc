import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { SpecialActionContext } from './specialActionContext.ts';

/** Returns the paths of uploads, by their ids. @throws Failure VALIDATION_ERROR when the session has no such upload */
export async function uploadPaths(
  { id, uploadPath }: SpecialActionContext,
  uploadIds: readonly string[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const uploadId of uploadIds) {
    const path = await uploadPath(uploadId.toUpperCase());
    if (path === null)
      throw new Failure('VALIDATION_ERROR', `${id}: this session has no upload "${cutText(uploadId, 50)}".`, {
        errors: [{ path: 'value', message: 'must be ids of uploaded files, such as U1' }],
      });
    paths.push(path);
  }
  return paths;
}
