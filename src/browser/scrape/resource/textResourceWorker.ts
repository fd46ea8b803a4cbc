/** Worker thread: receives one long text, posts its `ResourceContent`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ContentSelection } from '../../../domain/content/scrape.ts';
import { parseTextResource, type TextSource } from './parseTextResource.ts';

const { source, isJson, request } = workerData as {
  readonly source: TextSource;
  readonly isJson: boolean;
  readonly request: ContentSelection;
};

parentPort?.postMessage(parseTextResource(source, isJson, request));
