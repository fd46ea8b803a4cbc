/** The how-tos of /docs: calls that work as they are on the practice shop. */

/** One task, with calls of a shell. */
export interface HowTo {
  /** The anchor. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

/** Returns the lines before every how-to: the key, the call, and a session. */
export const SHELL_SETUP = (origin: string): string => `KEY=psk_…
SERVICE=${origin}
call() { curl -sS "$SERVICE$1" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "$2"; echo; }
ID=$(call /session/start '{}' | cut -d '"' -f 4)`;

/** Returns the how-tos. @param exampleUrl the first page of the shop: a service without it shows them with another address */
export const howTos = (exampleUrl: string): readonly HowTo[] => {
  const at = (path: string): string => new URL(path, exampleUrl).href;
  return [
    {
      id: 'wait',
      title: 'Wait for something',
      text: 'The answer of a step comes when the page has settled. For what a page does later on its own, `wait_for` names a condition: `text "…"`, `no text "…"`, `action "…"`, `no action "…"` or `network quiet`; `wait_ms` bounds it (default 10,000).',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('samples')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "B1", "wait_for": "text \\"40 sheets\\"", "fields": ["markdown"]}'`,
    },
    {
      id: 'differences',
      title: 'Get only what changed',
      text: '`fields` names the parts of the answer that you need; the others are not computed. `diff` compares with the observation before.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${exampleUrl}", "fields": ["markdown"]}'
call /env/step '{"session_id": "'$ID'", "action_id": "B2", "fields": ["diff.markdown"]}'`,
    },
    {
      id: 'lists',
      title: 'Make the list short',
      text: '`search`, `kinds` and `status` keep some of the actions, `max_tokens` as many as fit; `text` adds the words of the page between them.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${exampleUrl}", "search": "basket", "kinds": ["button"], "fields": ["markdown"]}'
call /env/observe '{"session_id": "'$ID'", "max_tokens": 100, "text": true, "fields": ["markdown"]}'`,
    },
    {
      id: 'files',
      title: 'Download and upload files',
      text: 'A step that starts a download tells so; the file has an id. An uploaded file has an id too, which is the value of a step on a file input.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('samples')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "L5"}'
curl -sS "$SERVICE/session/$ID/downloads" -H "Authorization: Bearer $KEY"; echo
curl -sS "$SERVICE/session/$ID/downloads/D1" -H "Authorization: Bearer $KEY"
curl -sS "$SERVICE/session/$ID/uploads?name=drawing.txt" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/octet-stream' -d 'a drawing'; echo
call /env/step '{"session_id": "'$ID'", "action_id": "I1", "value": "U1", "fields": ["diff.markdown"]}'`,
    },
    {
      id: 'login',
      title: 'Sign in',
      text: 'A session keeps its cookies until it ends, so one sign-in is enough. `enter` presses Enter after the value.',
      code: `call /env/observe '{"session_id": "'$ID'", "url": "${at('orders')}"}'
call /env/step '{"session_id": "'$ID'", "action_id": "I1", "value": "ada"}'
call /env/step '{"session_id": "'$ID'", "action_id": "I2", "value": "paper", "enter": true, "fields": ["markdown", "metadata.page_title"]}'
call /env/scrape '{"session_id": "'$ID'", "fields": ["data.markdown"]}'`,
    },
  ];
};
