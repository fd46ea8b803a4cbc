import { Failure } from '../../../domain/failure/failures.ts';
import type { PerformSpecialAction } from './specialActionContext.ts';

/**
 * Returns a function that accepts or dismisses the dialog that the active tab has opened.
 * @throws Failure ACTION_BLOCKED when no dialog is open
 */
export const answerDialog =
  (answer: 'accept' | 'dismiss'): PerformSpecialAction =>
  async ({ tab, command, id }) => {
    const dialog = tab.dialogs.take();
    if (dialog === null)
      throw new Failure('ACTION_BLOCKED', `${id}: no dialog is open.`, { retryable: false });
    if (answer === 'dismiss') return dialog.dismiss();
    const text = command.params.text ?? command.value;
    await dialog.accept(...(dialog.type() === 'prompt' ? [text ?? dialog.defaultValue()] : []));
  };
