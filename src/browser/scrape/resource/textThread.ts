/** The thread that reads one long text: gets it, posts its `Parts`, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ScrapeRequest } from '../../../domain/page.ts';
import { type Text, textParts } from './textParts.ts';

const { source, json, request } = workerData as {
  readonly source: Text;
  readonly json: boolean;
  readonly request: ScrapeRequest;
};

parentPort?.postMessage(textParts(source, json, request));
