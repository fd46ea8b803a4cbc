import type pc from 'picocolors';
import { type Action, PagespaceClient, type Space } from '../client/main.ts';

type Colors = ReturnType<typeof pc.createColors>;

export interface DemoOptions {
  readonly service: string;
  readonly key: string;
  readonly url: string;
  readonly print: (line: string) => void;
  readonly colors: Colors;
  /** Maximum characters of a line; longer lines are cut. */
  readonly width: number;
}

const MAX_ACTIONS = 24;
const MAX_LINES = 12;
/** Width of the first two columns (the operation and its time), in characters. */
const MARGIN = 20;

/** Runs start, observe, one step, scrape and close once, and prints each. Closes the session in every case. @throws PagespaceError of the first call that fails */
export async function runDemo({ service, key, url, print, colors, width }: DemoOptions): Promise<void> {
  const client = new PagespaceClient({ url: service, key });
  const { bold, dim, cyan, green, red, yellow } = colors;
  const textWidth = width - MARGIN;
  const under = (line = ''): void => print(`${' '.repeat(MARGIN)}${line}`.trimEnd());
  const head = (name: string, ms: number): string =>
    `${bold(cyan(name.padEnd(8)))} ${dim(`${ms.toFixed(0)} ms`.padStart(9))}  `;
  let total = 0;
  async function part<T>(name: string, work: Promise<T>, describe: (answer: T) => string): Promise<T> {
    const began = performance.now();
    const took = () => performance.now() - began;
    const answer = await work.catch((error: unknown) => {
      print(`${head(name, took())}${red('failed')}`);
      throw error;
    });
    const ms = took();
    total += ms;
    print(`${head(name, ms)}${describe(answer)}`);
    return answer;
  }

  const session = await part(
    'start',
    client.start(),
    ({ id }) => `session ${id.slice(0, 8)}… ${green('started')}`,
  );
  try {
    const observed = await part('observe', session.observe(url), ({ metadata, space }) => {
      const details = [
        space?.category.toLowerCase().replaceAll('_', '-'),
        metadata.httpStatus === null ? undefined : `HTTP ${metadata.httpStatus}`,
        `${space?.totalActions ?? 0} actions`,
      ];
      return `${bold(truncate(metadata.title || metadata.url, textWidth))}  ${dim(details.filter(Boolean).join(', '))}`;
    });
    if (observed.space != null) {
      for (const line of spaceLines(observed.space, textWidth, colors)) under(line);
      under();
    }
    const choice = chooseStep(observed.space?.actions ?? []);
    await part(
      'step',
      session.step(choice.actionId),
      () => `${yellow(choice.actionId)} ${truncate(choice.description, textWidth - 5)}`,
    ).then(({ metadata, space }) =>
      under(
        `→ ${bold(truncate(metadata.title || metadata.url, textWidth - 2))}  ${dim(`${space?.totalActions ?? 0} actions`)}`,
      ),
    );
    const { data } = await part(
      'scrape',
      session.scrape(),
      scraped => `${scraped.data?.markdown?.length ?? 0} characters of Markdown`,
    );
    for (const line of textLines(data?.markdown ?? '', textWidth, colors)) under(line);
  } finally {
    await part(
      'close',
      session.close(),
      ({ status, timeoutMinutes }) =>
        `session ${status.toLowerCase()}${dim(`; left open, it times out after ${timeoutMinutes} minutes without an operation`)}`,
    );
  }
  print(`\n${head('total', total)}`.trimEnd());
}

function spaceLines(space: Space, textWidth: number, { dim, yellow, bold }: Colors): string[] {
  const shown = space.actions.slice(0, MAX_ACTIONS);
  const lines: string[] = [];
  let category = '';
  for (const action of shown) {
    if (action.category !== category) lines.push(bold(truncate(action.category, textWidth)));
    category = action.category;
    const note = action.status === 'VALID' ? '' : dim(` (${action.status.toLowerCase()})`);
    lines.push(`  ${yellow(action.id.padEnd(4))} ${truncate(action.description, textWidth - 18)}${note}`);
  }
  const more = space.totalActions - shown.length;
  return more > 0 ? [...lines, dim(`  … and ${more} more`)] : lines;
}

function textLines(text: string, textWidth: number, { dim }: Colors): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const more = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map(line => `${dim('│')} ${truncate(line, textWidth - 2)}`),
    ...(more > 0 ? [dim(`│ … and ${more} more ${more === 1 ? 'line' : 'lines'}`)] : []),
  ];
}

const truncate = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;

const PERIPHERAL_CATEGORY = /^(navigation|header|banner|footer|breadcrumb)/i;

/** Chooses the action of the step: an "add to …" button, otherwise a link of the content, otherwise any link, any button, or a reload (S6). */
function chooseStep(actions: readonly Action[]): { actionId: string; description: string } {
  const valid = actions.filter(({ status, name }) => status === 'VALID' && (name ?? '').length > 1);
  const links = valid.filter(({ kind, name }) => kind === 'LINK' && !/^skip\b/i.test(name ?? ''));
  const chosen =
    valid.find(({ kind, name }) => kind === 'BUTTON' && /\badd to\b/i.test(name ?? '')) ??
    links.find(({ category }) => !PERIPHERAL_CATEGORY.test(category)) ??
    links[0] ??
    valid.find(({ kind }) => kind === 'BUTTON');
  if (chosen === undefined) return { actionId: 'S6', description: 'Load the current page again' };
  return { actionId: chosen.id, description: chosen.description };
}
