import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Switch } from './button.tsx';
import { type Call, callSnippets } from './callSnippets.ts';
import { CopyButton } from './copyButton.tsx';
import { Modal } from './modal.tsx';

interface CallDialogProps {
  readonly call: Call;
  readonly title: string;
  readonly onClose: () => void;
}

/** @param title says which call it is */
export const CallDialog = ({ call, title, onClose }: CallDialogProps): JSX.Element => (
  <Modal title={title} onClose={onClose}>
    <CallSnippets call={call} />
  </Modal>
);

export function CallSnippets({ call }: { call: Call }): JSX.Element {
  const snippets = callSnippets(call, location.origin);
  const [name, setName] = useState('curl');
  const shown = snippets.find(snippet => snippet.name === name);
  return (
    <div class="snippets">
      <Switch
        label="Way of calling"
        names={snippets.map(snippet => snippet.name)}
        chosen={name}
        choose={setName}
      />
      <pre tabIndex={0}>
        <code>{shown?.text}</code>
      </pre>
      <CopyButton text={shown?.text ?? ''} label={`Copy as ${name}`}>
        Copy
      </CopyButton>
    </div>
  );
}
