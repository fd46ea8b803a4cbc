/** Worker thread: receives sanitized HTML, posts Markdown. */
import { parentPort, workerData } from 'node:worker_threads';
import { htmlToMarkdownSync } from './htmlToMarkdownSync.ts';

parentPort?.postMessage(htmlToMarkdownSync(workerData as string));
