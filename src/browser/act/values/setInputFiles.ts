import { Failure } from '../../../domain/failure/failures.ts';
import { cutText } from '../../../domain/space/pageText.ts';
import type { ElementContext } from '../element/elementContext.ts';
import { click } from '../pointer/click.ts';
import { toBlockedFailure } from '../ready/blockedFailure.ts';
import { whenReady } from '../ready/whenReady.ts';

/**
 * Sets the files of a file input. The value has the ids of uploaded files, separated by line breaks or commas. Without a
 * value it clicks the file input.
 * @throws Failure VALIDATION_ERROR, ACTION_BLOCKED
 */
export async function setInputFiles(element: ElementContext): Promise<void> {
  const { value, locator } = element;
  if (value === null) return click(element);
  const ids = value
    .split(/[\n,]/)
    .map(id => id.trim().toUpperCase())
    .filter(id => id !== '');
  const paths = await Promise.all(ids.map(id => uploadPath(element, id)));
  try {
    await whenReady(element, options => locator.setInputFiles(paths, options));
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
}

async function uploadPath(element: ElementContext, fileId: string): Promise<string> {
  const path = await element.uploadPath(fileId);
  if (path !== null) return path;
  throw new Failure(
    'VALIDATION_ERROR',
    `${element.listed.id} takes the id of a file uploaded to this session; there is no ${cutText(fileId, 50)}.`,
    { errors: [{ path: 'value', message: 'must be the id of an uploaded file, such as U1' }] },
  );
}
