/** Locks the data folder at argv[2], prints `held`, and waits until it is killed. */
import { dataFolder } from '../../src/store/files/dataFolder.ts';

dataFolder(process.argv[2] ?? '').lock();
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
