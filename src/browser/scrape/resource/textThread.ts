/** The thread that reads one long text: gets it, posts its `Parts`, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ScrapeRequest } from '../../../domain/scrapeRequest.ts';
import { parseTextResource, type TextSource } from './parseTextResource.ts';

const { source, json, request } = workerData as {
  readonly source: TextSource;
  readonly json: boolean;
  readonly request: ScrapeRequest;
};

parentPort?.postMessage(parseTextResource(source, json, request));
