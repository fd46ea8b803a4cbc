/** The exports of a session: Markdown to read, JSON and HAR for programs, by addresses that end after minutes. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { request } from '../connection/http.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyButton.tsx';
import { Icon } from '../parts/icons.tsx';
import { notifyFailure } from '../parts/notices.tsx';
import type { EventData } from './useSession.ts';

const FilmDialog = lazy(() => import('./filmDialog.tsx').then(({ FilmDialog }) => FilmDialog));

type Format = 'MARKDOWN' | 'JSON' | 'HAR';

const ENDS: Readonly<Record<Format, string>> = { MARKDOWN: 'md', JSON: 'json', HAR: 'har' };

async function addressOf(id: string, format: Format): Promise<string> {
  const { session } = await request('DashExport', { id, format });
  if (session === null) throw new Error('There is no such session.');
  return session.exportUrl;
}

export async function sessionMarkdown(id: string): Promise<string> {
  const response = await fetch(await addressOf(id, 'MARKDOWN'));
  if (!response.ok) throw new Error(`The session cannot be read: status ${response.status}.`);
  return response.text();
}

async function save(id: string, format: Format): Promise<void> {
  try {
    const link = document.createElement('a');
    link.href = await addressOf(id, format);
    link.download = `session-${id.slice(0, 8)}.${ENDS[format]}`;
    link.click();
  } catch (error) {
    notifyFailure(error);
  }
}

export const ExportLink = ({ sessionId, format }: { sessionId: string; format: Format }): JSX.Element => (
  <Button icon="down" label={`Save as ${format}`} onClick={() => void save(sessionId, format)}>
    {format}
  </Button>
);

const SAVED: readonly (readonly [Format, string])[] = [
  ['MARKDOWN', 'Markdown'],
  ['JSON', 'JSON'],
  ['HAR', 'HAR, the requests'],
];

/** The menu of the session's head: copies it as Markdown, and saves it in each format. */
export function ExportMenu({
  sessionId,
  events,
}: {
  sessionId: string;
  events: readonly EventData[];
}): JSX.Element {
  const [isFilming, setFilming] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <>
      <details
        ref={menu}
        class="menu"
        onKeyDown={event => {
          if (event.key !== 'Escape') return;
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
        onFocusOut={({ relatedTarget }) => {
          if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) === false) close();
        }}
      >
        <summary class="button">
          <Icon name="down" /> Export
        </summary>
        <div class="menu-list">
          <CopyButton text={() => sessionMarkdown(sessionId)} label="Copy the session as Markdown">
            Copy as Markdown
          </CopyButton>
          {SAVED.map(([format, name]) => (
            <Button
              kind="quiet"
              icon="file"
              key={format}
              label={`Save the session as ${name}`}
              onClick={() => {
                close();
                void save(sessionId, format);
              }}
            >
              {name}
            </Button>
          ))}
          <Button
            kind="quiet"
            icon="play"
            onClick={() => {
              close();
              setFilming(true);
            }}
          >
            Film
          </Button>
        </div>
      </details>
      {isFilming && <FilmDialog sessionId={sessionId} events={events} onClose={() => setFilming(false)} />}
    </>
  );
}
