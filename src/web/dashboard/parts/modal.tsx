/** A dialog of the browser's own kind: it keeps the focus, closes with Escape, and gives the focus back. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, submits } from './button.tsx';
import { Wrong } from './states.tsx';

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** @param onClose called when the reader closes the dialog */
export function Modal({ title, onClose, children }: ModalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} class="modal" aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <Button kind="quiet square" icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** The text of a field, trimmed; empty for none. */
type TextOf = (name: string) => string;

/** Closes when it is done, or says why it failed. @param doing the words on the button while it goes on */
export function FormDialog({
  title,
  action,
  doing = action,
  kind = 'primary',
  submit,
  onClose,
  children,
}: {
  title: string;
  action: string;
  doing?: string;
  kind?: string;
  submit: (text: TextOf, fields: FormData) => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (fields: FormData) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await submit(name => String(fields.get(name) ?? '').trim(), fields);
      onClose();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return (
    <Modal title={title} onClose={onClose}>
      <form class="fields" onSubmit={submits(form => run(new FormData(form)))}>
        {children}
        <Wrong text={error} />
        <footer>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          {/* A disabled button would lose the focus, and a failure the reader's place. */}
          <Button kind={kind} type="submit" aria-disabled={isBusy}>
            {isBusy ? doing : action}
          </Button>
        </footer>
      </form>
    </Modal>
  );
}
