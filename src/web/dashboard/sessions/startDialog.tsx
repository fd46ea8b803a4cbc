import type { JSX } from 'preact';
import { request } from '../connection/http.ts';
import { FormDialog } from '../parts/modal.tsx';

/** @param onStarted gets the id of the new session */
export function StartDialog({
  onClose,
  onStarted,
}: {
  onClose: () => void;
  onStarted: (id: string) => void;
}): JSX.Element {
  return (
    <FormDialog
      title="Start a session"
      action="Start"
      doing="Starting…"
      onClose={onClose}
      submit={async text => {
        const labels = text('labels')
          .split(',')
          .map(label => label.trim())
          .filter(label => label !== '');
        const { startSession } = await request('DashStart', {
          input: {
            name: text('name') === '' ? null : text('name'),
            labels: labels.length === 0 ? null : labels,
            record: text('record') as 'OFF' | 'STEPS' | 'VIDEO',
            sessionTimeoutMinutes: Number(text('minutes')),
          },
        });
        if (text('url') !== '')
          await request('DashObserve', { input: { sessionId: startSession.id, url: text('url') } });
        onStarted(startSession.id);
      }}
    >
      <label>
        Address
        <input
          name="url"
          type="text"
          inputMode="url"
          placeholder="example.com, or nothing for an empty tab"
        />
      </label>
      <label>
        Name
        <input name="name" type="text" maxLength={200} />
      </label>
      <label>
        Labels, separated by commas
        <input name="labels" type="text" />
      </label>
      <label>
        Ends after this many idle minutes
        <input name="minutes" type="number" min={1} max={29} value={5} required />
      </label>
      <label>
        Pictures in its record
        <select name="record">
          <option value="STEPS">one after each operation</option>
          <option value="VIDEO">also while the page changes</option>
          <option value="OFF">none</option>
        </select>
      </label>
    </FormDialog>
  );
}
