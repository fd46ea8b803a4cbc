/** The whole flow (start, observe, one step, scrape, close) against a running service, told in the terminal. */
import { GraphQLClient } from 'graphql-request';
import type pc from 'picocolors';
import {
  DemoCloseDocument,
  DemoObserveDocument,
  type DemoObserveMutation,
  DemoScrapeDocument,
  DemoStartDocument,
  DemoStepDocument,
} from '../api/graphql/generated/graphql.ts';

type Colors = ReturnType<typeof pc.createColors>;

/** What the demo needs. */
export interface DemoParts {
  /** The service's GraphQL address. */
  readonly endpoint: string;
  readonly key: string;
  /** The page to show. */
  readonly url: string;
  /** Told line by line. */
  readonly print: (line: string) => void;
  readonly colors: Colors;
}

/** Actions and lines of text that are printed of a page. */
const MOST_ACTIONS = 24;
const MOST_LINES = 16;

type Space = NonNullable<DemoObserveMutation['observe']['space']>;
type Action = Space['actions'][number];

/** Runs the flow once. The session is closed whatever happens. @throws ClientError of the first call that fails */
export async function runDemo({ endpoint, key, url, print, colors }: DemoParts): Promise<void> {
  const client = new GraphQLClient(endpoint, { headers: { authorization: `Bearer ${key}` } });
  const { bold, dim, cyan, green, yellow } = colors;
  let total = 0;
  async function part<T>(name: string, work: Promise<T>, tell: (answer: T) => string): Promise<T> {
    const began = performance.now();
    const answer = await work;
    const ms = performance.now() - began;
    total += ms;
    print(`${bold(cyan(name.padEnd(8)))} ${tell(answer)}  ${dim(`${ms.toFixed(ms < 10 ? 1 : 0)} ms`)}`);
    return answer;
  }

  const { startSession } = await part('start', client.request(DemoStartDocument, { input: {} }), answer => {
    const { id, status, timeoutMinutes } = answer.startSession;
    return `session ${id} is ${green(status.toLowerCase())}, for ${timeoutMinutes} minutes after its last operation`;
  });
  const sessionId = startSession.id;
  try {
    const { observe } = await part(
      'observe',
      client.request(DemoObserveDocument, { input: { sessionId, url } }),
      answer => {
        const { metadata, space } = answer.observe;
        const kind = space?.category.toLowerCase().replaceAll('_', '-') ?? 'page';
        return `${bold(metadata.title || metadata.url)} (${kind}, HTTP ${metadata.httpStatus ?? 'none'}): ${space?.totalActions ?? 0} actions`;
      },
    );
    if (observe.space != null) printSpace(observe.space, print, colors);
    const choice = chooseStep(observe.space?.actions ?? []);
    await part(
      'step',
      client.request(DemoStepDocument, { input: { sessionId, ...choice.input } }),
      answer => {
        const { metadata, space } = answer.step;
        return `${yellow(choice.input.actionId)} ${choice.said} → ${bold(metadata.title || metadata.url)}, ${space?.totalActions ?? 0} actions`;
      },
    );
    const { scrape } = await part(
      'scrape',
      client.request(DemoScrapeDocument, { input: { sessionId } }),
      answer => {
        const { data } = answer.scrape;
        return `${data?.markdown?.length ?? 0} characters of Markdown, ${data?.links?.length ?? 0} links`;
      },
    );
    printText(scrape.data?.markdown ?? '', print, colors);
  } finally {
    await part('close', client.request(DemoCloseDocument, { input: { sessionId } }), answer => {
      const { status, duration } = answer.closeSession;
      return `session is ${status.toLowerCase()} after ${duration}`;
    });
  }
  print(dim(`${' '.repeat(9)}${total.toFixed(0)} ms in all`));
}

function printSpace(space: Space, print: (line: string) => void, { dim, yellow, bold }: Colors): void {
  const shown = space.actions.slice(0, MOST_ACTIONS);
  let category = '';
  for (const action of shown) {
    if (action.category !== category) print(`         ${bold(action.category)}`);
    category = action.category;
    const note = action.status === 'VALID' ? '' : dim(` (${action.status.toLowerCase()})`);
    print(`           ${yellow(action.id.padEnd(4))} ${action.description}${note}`);
  }
  const more = space.totalActions - shown.length;
  if (more > 0) print(dim(`           … and ${more} more`));
}

function printText(text: string, print: (line: string) => void, { dim }: Colors): void {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  for (const line of lines.slice(0, MOST_LINES)) print(`         ${dim('│')} ${line.slice(0, 110)}`);
  if (lines.length > MOST_LINES) print(dim(`         │ … and ${lines.length - MOST_LINES} more lines`));
}

/** A button of the page's main part if there is one, else a link, else a scroll. */
function chooseStep(actions: readonly Action[]): { input: { actionId: string }; said: string } {
  const valid = actions.filter(action => action.status === 'VALID');
  const named = (kind: Action['kind']) =>
    valid.find(action => action.kind === kind && (action.name ?? '').length > 1);
  const add = valid.find(action => action.kind === 'BUTTON' && /add to/i.test(action.description));
  const chosen = add ?? named('LINK') ?? named('BUTTON');
  if (chosen === undefined) return { input: { actionId: 'S6' }, said: 'load the page anew' };
  return { input: { actionId: chosen.id }, said: chosen.description };
}
