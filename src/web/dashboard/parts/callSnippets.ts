/** One call of the service in every way that programs can make it. */

/** A call: opening an address, or performing an action. */
export interface Call {
  readonly sessionId: string | null;
  /** Null for opening an address. */
  readonly actionId: string | null;
  readonly value: string | null;
  readonly enter: boolean;
}

export interface Snippet {
  readonly name: string;
  readonly text: string;
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const json = (value: unknown): string => JSON.stringify(value);

const given = (fields: Readonly<Record<string, string | boolean | null>>): Record<string, string | boolean> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string | boolean] => entry[1] !== null && entry[1] !== false,
    ),
  );

/** A GraphQL value: an object without quotes around its names. */
const graphqlInput = (fields: Readonly<Record<string, string | boolean>>): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${json(value)}`)
    .join(', ')} }`;

/** Returns the call as curl, GraphQL, TypeScript, MCP and the command line. @param origin of the service */
export function callSnippets(
  { sessionId, actionId, value, enter }: Call,
  origin: string,
): readonly Snippet[] {
  const isOpen = actionId === null || (actionId === 'S1' && value !== null);
  const url = value ?? '';
  const path = isOpen ? '/env/observe' : '/env/step';
  const body = isOpen
    ? given({ session_id: sessionId, url, keep_alive: sessionId === null })
    : given({ session_id: sessionId, action_id: actionId, value, enter });
  const input = isOpen
    ? given({ sessionId, url, keepAlive: sessionId === null })
    : given({ sessionId, actionId, value, enter });
  const field = isOpen ? 'observe' : 'step';
  const options = enter ? ', { enter: true }' : '';
  const typescript = isOpen
    ? `const page = await session.observe(${json(url)});`
    : `const after = await session.step(${json(actionId)}${value === null && !enter ? '' : `, ${json(value)}`}${options});`;
  const begin =
    sessionId === null
      ? 'await using session = await client.start();'
      : `const session = client.session(${json(sessionId)});`;
  return [
    {
      name: 'curl',
      text: `curl -sS ${origin}${path} \\\n  -H "Authorization: Bearer $PAGESPACE_API_KEY" -H 'Content-Type: application/json' \\\n  -d ${shellWord(json(body))}`,
    },
    {
      name: 'GraphQL',
      text: `mutation {\n  ${field}(input: ${graphqlInput(input)}) {\n    id\n    ${isOpen ? 'space { markdown }' : 'diff { markdown }\n    space { markdown }'}\n  }\n}`,
    },
    {
      name: 'TypeScript',
      text: `import { PagespaceClient } from '@pagespace/client';\n\nconst client = new PagespaceClient({ url: ${json(origin)}, key: process.env.PAGESPACE_API_KEY });\n${begin}\n${typescript}`,
    },
    {
      name: 'MCP',
      text: JSON.stringify(
        {
          method: 'tools/call',
          params: { name: field, arguments: isOpen ? given({ session_id: sessionId, url }) : body },
        },
        null,
        2,
      ),
    },
    {
      name: 'Command line',
      text: isOpen
        ? `pagespace open ${shellWord(url)}${sessionId === null ? '' : ` --session ${sessionId}`}`
        : `pagespace do ${actionId}${value === null ? '' : ` ${shellWord(value)}`}${enter ? ' --enter' : ''}${sessionId === null ? '' : ` --session ${sessionId}`}`,
    },
  ];
}
