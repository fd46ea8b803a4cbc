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
  if (paths.length > 1 && !(await hasAttribute(element, 'multiple')))
    throw refusedFiles(element, 'one file', `${paths.length} files`);
  try {
    await whenReady(element, options => locator.setInputFiles(paths, options));
  } catch (error) {
    if (await hasAttribute(element, 'webkitdirectory'))
      throw refusedFiles(element, 'a folder', 'a file: uploads are single files without folders');
    throw toBlockedFailure(element, error);
  }
}

/** Maximum wait for an attribute of an element that is there. Milliseconds. */
const ATTRIBUTE_TIMEOUT_MS = 1_000;

const hasAttribute = async ({ locator }: ElementContext, name: string): Promise<boolean> =>
  (await locator.getAttribute(name, { timeout: ATTRIBUTE_TIMEOUT_MS }).catch(() => null)) !== null;

const refusedFiles = ({ listed }: ElementContext, takes: string, got: string): Failure =>
  new Failure('VALIDATION_ERROR', `${listed.id} takes ${takes}; got ${got}.`, {
    errors: [{ path: 'value', message: `must be ${takes}` }],
  });

async function uploadPath(element: ElementContext, fileId: string): Promise<string> {
  const path = await element.uploadPath(fileId);
  if (path !== null) return path;
  throw new Failure(
    'VALIDATION_ERROR',
    `${element.listed.id} takes the id of a file uploaded to this session; there is no ${cutText(fileId, 50)}.`,
    { errors: [{ path: 'value', message: 'must be the id of an uploaded file, such as U1' }] },
  );
}
