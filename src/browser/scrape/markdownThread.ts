/** The thread that makes Markdown of one long markup: gets it, posts the Markdown, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { markdownOf } from './markdownOf.ts';

parentPort?.postMessage(markdownOf(workerData as string));
