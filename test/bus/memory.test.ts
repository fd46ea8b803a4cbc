import { memoryBus, QUEUE_LENGTH } from '../../src/bus/memory.ts';
import { describeBus } from './busContract.ts';

describeBus('in memory', memoryBus, QUEUE_LENGTH);
