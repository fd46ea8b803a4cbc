/** The thread of `checkpointer`: moves the write-ahead log into the database on a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './openDatabase.ts';

/** Milliseconds between two checkpoints. Without new frames in the log a checkpoint takes microseconds. */
const INTERVAL_MS = 250;

const database = openDatabase(String(workerData));

const timer = setInterval(() => {
  try {
    // A passive checkpoint does not wait for readers or writers, and they do not wait for it.
    database.exec('pragma wal_checkpoint(passive)');
  } catch {
    // The disk is full, or another connection makes a checkpoint. The next turn tries again.
  }
}, INTERVAL_MS);

parentPort?.once('message', () => {
  clearInterval(timer);
  database.close();
});
