/** Worker thread: receives a schema and a value. Posts `null` when it is ready, and then the validation errors. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseExtractSchema } from '../../../domain/content/extractSchema.ts';
import type { Json } from '../../../domain/json.ts';
import { validationErrors } from './validationErrors.ts';

const { schema, value } = workerData as { readonly schema: Json; readonly value: Json };

parentPort?.postMessage(null);
parentPort?.postMessage(validationErrors(parseExtractSchema(schema).validator, value));
