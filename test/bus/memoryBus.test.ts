import { memoryBus, SUBSCRIBER_QUEUE_LENGTH } from '../../src/bus/memoryBus.ts';
import { describeEventBusContract } from '../contracts/eventBusContract.ts';

describeEventBusContract('in memory', () => memoryBus(), SUBSCRIBER_QUEUE_LENGTH);
