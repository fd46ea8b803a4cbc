import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../../src/async/race.ts';
import { type OpenDialog, TabDialogs } from '../../../src/browser/tab/tabDialogs.ts';

let answers: string[];
let terminated: number;
/** False for a page that `terminateScript` does not stop. */
let isStoppable: boolean;
let isVisible: boolean;
/** The page calls this when it can continue; null if it then does nothing. Opens the next dialog. */
let next: (() => void) | null;
let dialogs: TabDialogs;
beforeEach(() => {
  answers = [];
  terminated = 0;
  isStoppable = true;
  isVisible = true;
  next = null;
  dialogs = new TabDialogs({
    isVisible: () => isVisible,
    report: () => {},
    onKept: () => answers.push('kept'),
    onChange: () => {},
    ping: () => new Promise(done => next === null && done(null)),
    terminateScript: () => {
      terminated++;
      if (isStoppable) next = null;
    },
    crash: () => answers.push('crashed'),
  });
});

function dialog(message = 'text', type = 'alert'): OpenDialog {
  const answered = (answer: string) => async () => {
    answers.push(`${answer} ${message}`);
    next?.();
  };
  return {
    type: () => type,
    message: () => message,
    defaultValue: () => '',
    accept: answered('accepted'),
    dismiss: answered('dismissed'),
  };
}

describe('TabDialogs', () => {
  it('keeps a dialog open for the caller, and gives it away once', () => {
    const one = dialog();
    dialogs.opened(one);
    expect([dialogs.open, answers]).toEqual([one, ['kept']]);
    expect([dialogs.take(), dialogs.take(), dialogs.open]).toEqual([one, null, null]);
  });

  it('dismisses the dialogs of a tab that the caller cannot see, and of an operation that cannot show them', () => {
    isVisible = false;
    dialogs.opened(dialog('hidden'));
    isVisible = true;
    dialogs.begin('dismiss');
    dialogs.opened(dialog('scraped'));
    dialogs.begin('keep');
    dialogs.opened(dialog('shown'));
    expect(answers).toEqual(['dismissed hidden', 'dismissed scraped', 'kept']);
  });

  it('dismisses every dialog while the page is left, accepts beforeunload, and keeps those of the next page', async () => {
    dialogs.opened(dialog('open'));
    const stop = dialogs.leave(() => {});
    await dialogs.clear();
    dialogs.opened(dialog('late'));
    dialogs.opened(dialog('sure?', 'beforeunload'));
    stop();
    dialogs.opened(dialog('new'));
    expect(answers).toEqual(['kept', 'dismissed open', 'dismissed late', 'accepted sure?', 'kept']);
  });

  it('reports a dialog that cannot be answered while the page is left', async () => {
    let isStuck = false;
    dialogs.leave(() => {
      isStuck = true;
    });
    const dismiss = () => Promise.reject(new Error('Not attached to an active page'));
    dialogs.opened({ ...dialog(), dismiss });
    await expect.poll(() => isStuck).toBe(true);
  });

  it('clear dismisses two different dialogs in a row', async () => {
    dialogs.opened(dialog('one'));
    next = () => {
      next = null;
      dialogs.opened(dialog('two'));
    };
    await dialogs.clear();
    expect([dialogs.open, terminated]).toEqual([null, 0]);
    expect(answers).toEqual(['kept', 'dismissed one', 'kept', 'dismissed two']);
  });

  it.each([
    ['the same text', () => 'again'],
    ['another text each time', () => String(Math.random())],
  ])('clear terminates a script that opens dialogs without end, with %s', async (_, text) => {
    const again = () => dialogs.opened(dialog(text()));
    again();
    next = again;
    await dialogs.clear();
    expect([dialogs.open, terminated]).toEqual([null, 1]);
  });

  it('clear fails if the script cannot be terminated, and leaves one dialog open', async () => {
    isStoppable = false;
    const again = () => dialogs.opened(dialog('again'));
    again();
    next = again;
    await expect(dialogs.clear()).rejects.toMatchObject({ code: 'ACTION_BLOCKED' });
    expect(dialogs.open?.message()).toBe('again');
    let isStuck = false;
    dialogs.leave(() => {
      isStuck = true;
    });
    dialogs.opened(dialog('again'));
    expect(isStuck).toBe(true);
  });

  it('ends a page that the caller cannot see if its dialogs do not end', () => {
    isVisible = false;
    isStoppable = false;
    next = () => !answers.includes('crashed') && dialogs.opened(dialog('again'));
    next();
    expect(answers.at(-1)).toBe('crashed');
  });

  it('ends an operation in which the page opens dialogs without end, also if it answers between them', async () => {
    dialogs.begin('dismiss');
    const waiting = waitUntil(dialogs.onEndless).catch((error: unknown) => error);
    for (let count = 1; count < 60; count++) {
      dialogs.opened(dialog('again'));
      await new Promise(setImmediate);
    }
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
    dialogs.opened(dialog('again'));
    expect(await waiting).toMatchObject({ code: 'ACTION_BLOCKED' });
  });

  it('does not show a dialog again that clear has dismissed, until the next operation', async () => {
    dialogs.opened(dialog('again'));
    await dialogs.clear();
    dialogs.opened(dialog('again'));
    expect(dialogs.open).toBeNull();
    dialogs.begin('keep');
    dialogs.opened(dialog('again'));
    expect(dialogs.open).not.toBeNull();
  });
});
