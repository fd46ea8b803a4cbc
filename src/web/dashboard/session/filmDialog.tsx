/** The dialog that makes a film of a session in this browser, shows it and saves it. It is loaded when it is asked for. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../connection/http.ts';
import { Button } from '../parts/button.tsx';
import { bytesText } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Modal } from '../parts/modal.tsx';
import { Wrong } from '../parts/states.tsx';
import { makeFilm } from './film.ts';
import type { EventData } from './useSession.ts';

interface FilmDialogProps {
  readonly sessionId: string;
  readonly events: readonly EventData[];
  readonly onClose: () => void;
}

/** @param events those of the session so far */
export function FilmDialog({ sessionId, events, onClose }: FilmDialogProps): JSX.Element {
  const [part, setPart] = useState(0);
  const [film, setFilm] = useState<{ readonly url: string; readonly bytes: number } | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    let url: string | null = null;
    makeFilm(sessionId, events, setPart, ending.signal).then(
      blob => {
        if (ending.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setFilm({ url, bytes: blob.size });
      },
      failure => {
        if (!ending.signal.aborted) setError(errorText(failure));
      },
    );
    return () => {
      ending.abort();
      if (url !== null) URL.revokeObjectURL(url);
    };
    // The film has the events that there were when it was asked for.
  }, [sessionId]);
  return (
    <Modal title="A film of the session" onClose={onClose}>
      <div class="fields film">
        {film !== null ? (
          // Without captions: the film has no sound, and its words are in the picture.
          <video src={film.url} controls muted loop autoplay playsInline aria-label="The film" />
        ) : error !== null ? (
          <Wrong text={error} />
        ) : (
          <label>
            Making the film…
            <progress max={1} value={part} />
          </label>
        )}
        <footer>
          <Button kind="quiet" onClick={onClose}>
            {film === null ? 'Cancel' : 'Close'}
          </Button>
          {film !== null && (
            <a class="button primary" href={film.url} download={`session-${sessionId.slice(0, 8)}.webm`}>
              <Icon name="down" /> Save, {bytesText(film.bytes)}
            </a>
          )}
        </footer>
      </div>
    </Modal>
  );
}
