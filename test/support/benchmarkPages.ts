/** The pages of the benchmark of web content extraction, in two halves, and a server of them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PAGE_TYPES, type PageType } from '../../src/browser/injected/signals/pageTypes.ts';
import type { PageTruth } from './contentScore.ts';

/** A page whose content is known. */
export interface BenchmarkPage extends PageTruth {
  readonly id: string;
  /** The URL that the page was saved from. */
  readonly url: string;
  readonly type: PageType;
  /** True for the half with which the passes were developed and the models of the bench learn. */
  readonly isSeen: boolean;
}

/** Served pages run no scripts and load no frames and images, as the benchmark was made. */
const POLICY = "script-src 'none'; frame-src 'none'; img-src 'none'";

interface TruthFile {
  readonly url: string;
  readonly ground_truth: {
    readonly main_content: string | null;
    readonly with?: readonly string[];
    readonly without?: readonly string[];
  };
  readonly _internal: { readonly page_type: { readonly primary: string } };
}

/** Returns the pages of a folder with `html` and `ground-truth`; none if the folder is not there. */
export function benchmarkPages(folder: string): BenchmarkPage[] {
  const truths = join(folder, 'ground-truth');
  if (!existsSync(truths)) return [];
  const pages = readdirSync(truths).map(name => {
    const file = JSON.parse(readFileSync(join(truths, name), 'utf8')) as TruthFile;
    const { main_content, with: wanted = [], without: unwanted = [] } = file.ground_truth;
    const type = PAGE_TYPES.find(one => one === file._internal.page_type.primary) ?? 'collection';
    return {
      id: name.replace('.json', ''),
      url: file.url,
      type,
      content: main_content ?? '',
      wanted,
      unwanted,
    };
  });
  const seen = seenHalf(pages);
  return pages.map(page => ({ ...page, isSeen: seen.has(page.id) }));
}

/** Every second page of each type, in the order of the hashes of their ids. */
function seenHalf(pages: readonly { readonly id: string; readonly type: PageType }[]): Set<string> {
  const rank = ({ id }: { readonly id: string }) => createHash('sha256').update(id).digest('hex');
  return new Set(
    PAGE_TYPES.flatMap(type =>
      pages
        .filter(page => page.type === type)
        .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
        .filter((_, at) => at % 2 === 0)
        .map(({ id }) => id),
    ),
  );
}

/** Serves `html/ID.html.gz` of a folder at `/ID.html` of a port of the loopback interface. */
export async function serveBenchmark(
  folder: string,
): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const id = /^\/([\w-]+)\.html$/.exec(request.url ?? '')?.[1];
    const file = join(folder, 'html', `${id}.html.gz`);
    if (id === undefined || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    });
    response.end(gunzipSync(readFileSync(file)));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', () => done()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
