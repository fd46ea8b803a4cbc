/** The settings of metrics and traces. The names of the latter are those of the OpenTelemetry specification. */
import { z } from 'zod';
import { optional, setting, urlText } from './setting.ts';

const ratio = z
  .string()
  .refine(text => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), 'must be a number from 0 to 1')
  .transform(Number);

/** Settings of metrics and traces, by their names in `Config`. */
export const TELEMETRY_SETTINGS = {
  metricsToken: setting(
    'PAGESPACE_METRICS_TOKEN',
    null,
    optional(z.string().trim().min(16, 'must have at least 16 characters')),
    'A bearer token that may read `/metrics`, for Prometheus. Without it, only this machine and keys of the operator may.',
    { secret: true },
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    null,
    optional(urlText(/^https?$/, 'http://collector:4318')),
    'Address of an OpenTelemetry collector (OTLP over HTTP). The service then sends a trace of each request; without it, none. `OTEL_EXPORTER_OTLP_HEADERS` and the other variables of the exporter count too.',
    { secret: true },
  ),
  otelServiceName: setting(
    'OTEL_SERVICE_NAME',
    'pagespace',
    z.string().trim().min(1, 'must not be blank'),
    'Name of the service in traces.',
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    ratio,
    'The part of the traces that is recorded, from 0 to 1. The id of a trace decides, so all nodes decide alike.',
  ),
} as const;
