/** The thread of `checkpointer`: keeps the write-ahead log short and on the disk, on a connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { LogKeeper } from './logKeeper.ts';

const INTERVAL_MS = 250;

const path = String(workerData);
const database = openConnection(path);
const keeper = new LogKeeper(database, path);

const timer = setInterval(() => {
  try {
    keeper.turn();
  } catch {
    // The disk is full, or another connection makes a checkpoint. The next turn tries again.
  }
}, INTERVAL_MS);

parentPort?.once('message', () => {
  clearInterval(timer);
  keeper.close();
  database.close();
});
