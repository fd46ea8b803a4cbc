/** The thread that makes Markdown of one long markup: gets it, posts the Markdown, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { htmlToMarkdownSync } from './htmlToMarkdownSync.ts';

parentPort?.postMessage(htmlToMarkdownSync(workerData as string));
