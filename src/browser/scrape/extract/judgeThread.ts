/** The thread that judges one value by one schema: gets both, posts the errors, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { extractSchema } from '../../../domain/extractSchema.ts';
import type { Json } from '../../../domain/page.ts';
import { schemaErrors } from './schemaErrors.ts';

const { schema, value } = workerData as { readonly schema: Json; readonly value: Json };

parentPort?.postMessage(schemaErrors(extractSchema(schema).validator, value));
