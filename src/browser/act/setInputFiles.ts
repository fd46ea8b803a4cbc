/** Giving uploaded files to a file input. */
import { Failure } from '../../domain/failures.ts';
import { click, toBlockedFailure } from './click.ts';
import { type ElementContext, timeoutOption } from './elementContext.ts';

/** `value`: ids of uploaded files, one a line. @throws Failure VALIDATION_ERROR */
export async function setInputFiles(element: ElementContext): Promise<void> {
  const { value, listed, locator, deadline } = element;
  if (value === null) return click(element);
  const ids = value.split(/[\n,]/).map(id => id.trim().toUpperCase());
  const paths = await Promise.all(
    ids
      .filter(id => id !== '')
      .map(async id => {
        const path = await element.uploadPath(id);
        if (path !== null) return path;
        throw new Failure(
          'VALIDATION_ERROR',
          `${listed.id} takes the id of a file uploaded to this session; there is no ${id.slice(0, 50)}.`,
          {
            errors: [{ path: 'value', message: 'must be the id of an uploaded file, such as U1' }],
          },
        );
      }),
  );
  try {
    await locator.setInputFiles(paths, timeoutOption(deadline));
  } catch (error) {
    throw toBlockedFailure(element, error);
  }
}
