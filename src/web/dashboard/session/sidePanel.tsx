/** The panels beside the picture: the text of the page, what changed, and the files. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { apiKey } from '../connection/access.ts';
import { errorText } from '../connection/http.ts';
import { CopyButton } from '../parts/copyButton.tsx';
import { ageText, bytesText, now } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { notify, notifyFailure } from '../parts/notices.tsx';
import { saveFile } from '../parts/saveFile.ts';
import { Empty } from '../parts/states.tsx';
import type { Moment, SessionData, SpaceData } from './useSession.ts';

export const PageText = ({ space }: { space: SpaceData }): JSX.Element => (
  <div class="panel-body">
    <div class="panel-tools">
      <span class="count">about {Math.ceil(space.markdown.length / 4).toLocaleString()} tokens</span>
      <span class="spread" />
      <CopyButton text={space.markdown} label="Copy the text" />
    </div>
    <pre class="scroll page-text" tabIndex={0}>
      {space.markdown}
    </pre>
  </div>
);

/** The changes of the last event, and the messages of the page. */
export function ChangesPanel({
  moment,
  space,
}: {
  moment: Moment | null;
  space: SpaceData | null;
}): JSX.Element {
  const lines = moment?.diff?.markdown.split('\n') ?? [];
  const messages = space?.messages ?? [];
  const pending = space?.pending;
  return (
    <div class="scroll changes" tabIndex={0}>
      {lines.length === 0 && messages.length === 0 && (
        <Empty icon="check" title="Nothing changed">
          <p>Differences between one observation and the next stand here.</p>
        </Empty>
      )}
      {lines.length > 0 && (
        <ul class="diff">
          {lines.map((line, index) => (
            <li
              key={index}
              class={{ '+': 'added', '~': 'changed', '-': 'removed', '!': 'says' }[line[0] ?? ''] ?? ''}
            >
              {line}
            </li>
          ))}
        </ul>
      )}
      {messages.length > 0 && (
        <section>
          <h2>The page says</h2>
          <ul class="messages">
            {messages.map((message, index) => (
              <li key={index} class={message.kind === 'ALERT' || message.kind === 'VALIDATION' ? 'bad' : ''}>
                <span class="chip">{message.kind.toLowerCase()}</span> <bdi>{message.text}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(space?.console != null || (pending?.requests.length ?? 0) > 0 || (pending?.busy.length ?? 0) > 0) && (
        <section>
          <h2>Console and network</h2>
          {space?.console != null && (
            <p class="wrong">
              {space.console.errors} errors: <bdi>{space.console.first}</bdi>
            </p>
          )}
          {pending?.requests.map(each => (
            <p key={each} class="sub">
              waiting for <bdi>{each}</bdi>
            </p>
          ))}
          {pending?.busy.map(each => (
            <p key={each} class="sub">
              busy: <bdi>{each}</bdi>
            </p>
          ))}
        </section>
      )}
    </div>
  );
}

export function FilesPanel({ session, reload }: { session: SessionData; reload: () => void }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const upload = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    try {
      const response = await fetch(`/session/${session.id}/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey.value ?? ''}`,
          'content-type': 'application/octet-stream',
          'x-file-name': encodeURIComponent(file.name),
        },
        body: file,
      });
      if (!response.ok)
        throw new Error(
          ((await response.json()) as { detail?: string }).detail ?? `Status ${response.status}`,
        );
      notify(`${file.name} was uploaded.`);
      reload();
    } catch (error) {
      notifyFailure(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="scroll files">
      <section>
        <h2>Downloads</h2>
        {session.downloads.length === 0 && <p class="sub">Files that pages download stand here.</p>}
        <ul>
          {session.downloads.map(({ id, name, bytes, createdAt, url }) => (
            <li key={id}>
              <b class="id">{id}</b>
              <button type="button" class="link" onClick={() => saveFile(url, name, 'file', apiKey.value)}>
                <bdi>{name}</bdi>
              </button>
              <span class="sub">
                {bytesText(bytes)} · {ageText(createdAt, now.value)}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Uploads</h2>
        <ul>
          {session.uploads.map(({ id, name, bytes }) => (
            <li key={id}>
              <b class="id">{id}</b>
              <bdi>{name}</bdi>
              <span class="sub">{bytesText(bytes)}</span>
            </li>
          ))}
        </ul>
        {session.status === 'ACTIVE' && (
          <label class="button upload">
            <Icon name="file" /> {isBusy ? 'Uploading…' : 'Upload a file'}
            <input
              type="file"
              class="unseen"
              disabled={isBusy}
              onChange={event => upload(event.currentTarget.files?.[0])}
            />
          </label>
        )}
      </section>
    </div>
  );
}
