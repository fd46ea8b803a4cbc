import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/config/settings.ts';
import { createServiceMetrics } from '../../src/telemetry/serviceMetrics.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { readonly environment?: Readonly<Record<string, string>>; readonly volumes?: readonly string[] }
    >
  >;
  readonly volumes: object;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly [
          {
            readonly env: readonly { readonly name: string; readonly value?: string }[];
            readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
            readonly startupProbe: { readonly periodSeconds: number; readonly failureThreshold: number };
            readonly securityContext: object;
            readonly volumeMounts: readonly { readonly mountPath: string }[];
          },
        ];
      };
    };
  };
}

const variables: readonly string[] = Object.values(SETTINGS).map(({ variable }) => variable);
const unknown = (names: readonly string[]): string[] => names.filter(name => !variables.includes(name));
const compose = (name: string): Compose => parse(read(name), { merge: true });
const nodes = Object.entries(compose('compose.yaml').services).filter(([name]) => name.startsWith('node'));

/** The names of all metrics of a node. */
function metricNames(): string[] {
  const metrics = createServiceMetrics('n1');
  metrics.addGauges({ sessions: () => 0, places: () => 0, waiting: () => 0, browsers: () => 0 });
  // The HTTP server adds the last one.
  return [...metrics.registry.getMetricsAsArray().map(({ name }) => name), 'pagespace_http_requests_total'];
}

describe.each(['compose.yaml', 'compose.single.yaml'])('%s', name => {
  const { services, volumes } = compose(name);

  it('sets only settings of the service', () => {
    const environments = Object.entries(services).filter(([service]) => /^(node|pagespace)/.test(service));
    expect(environments).not.toEqual([]);
    expect(environments.flatMap(([, { environment = {} }]) => unknown(Object.keys(environment)))).toEqual([]);
  });

  it('declares every volume that it names', () => {
    const named = Object.values(services)
      .flatMap(service => service.volumes ?? [])
      .map(volume => volume.split(':')[0] ?? '')
      .filter(source => !source.startsWith('.'));
    expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
  });

  it('mounts only files that exist', () => {
    const files = Object.values(services)
      .flatMap(service => service.volumes ?? [])
      .map(volume => volume.split(':')[0] ?? '')
      .filter(source => source.startsWith('./'));
    for (const file of files) expect(read(file)).not.toBe('');
  });
});

describe('compose.yaml', () => {
  it('starts three nodes with names of their own on the same engines', () => {
    expect(nodes.map(([name, { environment }]) => [name, environment?.PAGESPACE_NODE_ID])).toEqual(
      ['node1', 'node2', 'node3'].map(name => [name, name]),
    );
    expect(new Set(nodes.map(([, { environment }]) => environment?.DATABASE_URL)).size).toBe(1);
  });

  it('lets Prometheus read every node, and the proxy send requests to every node', () => {
    for (const [name] of nodes) {
      expect(read('container/prometheus.yml')).toContain(`${name}:4000`);
      expect(read('container/Caddyfile')).toContain(`${name}:4000`);
    }
  });
});

describe('the dashboard', () => {
  it('asks only for metrics that exist', () => {
    const names = metricNames();
    const asked = read('container/grafana/pagespace.json').match(/\b(?:pagespace|nodejs|process)_\w+/g) ?? [];
    const bases = asked.map(name => name.replace(/_(bucket|count|sum)$/, ''));
    expect(bases.filter(name => !names.includes(name))).toEqual([]);
    expect(bases.length).toBeGreaterThan(10);
  });
});

describe('the manifests for Kubernetes', () => {
  const documents = parseAllDocuments(read('container/kubernetes/pagespace.yaml')).map(
    document => document.toJS() as Manifest,
  );
  const deployment = documents.find(({ kind }) => kind === 'Deployment');
  const secret = documents.find(({ kind }) => kind === 'Secret');

  it('are valid YAML, with the versions that Kubernetes has for their kinds', () => {
    const files = ['pagespace', 'autoscaler'].map(name => read(`container/kubernetes/${name}.yaml`));
    const all = files.flatMap(text => [...parseAllDocuments(text)]);
    expect(all.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    // https://kubernetes.io/docs/reference/kubernetes-api/
    expect(all.map(document => `${document.get('apiVersion')} ${document.get('kind')}`)).toEqual([
      'v1 Secret',
      'v1 Service',
      'apps/v1 Deployment',
      'policy/v1 PodDisruptionBudget',
      'autoscaling/v2 HorizontalPodAutoscaler',
    ]);
  });

  it('send requests and probes to the port on which the service listens', () => {
    const text = JSON.stringify(documents);
    expect(text).toContain(`"containerPort":${SETTINGS.port.default}`);
    expect(text).toContain('"targetPort":"http"');
    expect(text).toContain('"httpGet":{"path":"/health","port":"http"}');
    expect(text).toContain('"httpGet":{"path":"/ready?capacity=ignore","port":"http"}');
  });

  it('set only settings of the service', () => {
    const env = deployment?.spec.template.spec.containers[0].env ?? [];
    const names = [...env.map(({ name }) => name), ...Object.keys(secret?.stringData ?? {})];
    expect(names).toContain('DATABASE_URL');
    expect(unknown(names)).toEqual([]);
  });

  const pod = deployment?.spec.template.spec;
  const container = pod?.containers[0];
  const setting = (variable: string): string | undefined =>
    container?.env.find(({ name }) => name === variable)?.value;

  it('leave a stopping node more time than its drain takes', () => {
    const drain = Number(setting('PAGESPACE_DRAIN_SECONDS'));
    const sleep = container?.lifecycle.preStop.sleep.seconds ?? 0;
    expect(sleep).toBeGreaterThan(0);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(sleep + drain + 15);
  });

  it('leave a starting node more time than the migrations of another one may take', () => {
    const { periodSeconds = 0, failureThreshold = 0 } = container?.startupProbe ?? {};
    // A node waits up to a minute for the lock of the migrations.
    expect(periodSeconds * failureThreshold).toBeGreaterThan(60 + 10);
  });

  it('give the container what the image promises: its user, no right of root, a read-only root, and both sandboxes on', () => {
    const user = /^USER (\d+)$/m.exec(read('Dockerfile'))?.[1];
    expect(pod?.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: Number(user),
      fsGroup: 0,
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'Unconfined' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    for (const sandbox of ['PAGESPACE_CHROMIUM_SANDBOX', 'PAGESPACE_OUTER_SANDBOX'])
      expect(setting(sandbox)).toBe('on');
  });

  it('scale the deployment by the metric that the rule of the comment makes of metrics that exist', () => {
    const text = read('container/kubernetes/autoscaler.yaml');
    const { spec } = parse(text) as {
      readonly spec: {
        readonly scaleTargetRef: { readonly kind: string; readonly name: string };
        readonly metrics: readonly [
          {
            readonly external: {
              readonly metric: { readonly name: string };
              readonly target: { readonly averageValue: string };
            };
          },
        ];
      };
    };
    const { kind, name } = spec.scaleTargetRef;
    expect(documents.map(one => `${one.kind} ${one.metadata.name}`)).toContain(`${kind} ${name}`);
    const comment = [...text.matchAll(/^#( {3}.*)$/gm)].map(([, line]) => line).join('\n');
    const { externalRules } = parse(comment) as {
      readonly externalRules: readonly [
        {
          readonly name: { readonly as: string };
          readonly resources: object;
          readonly metricsQuery: string;
          readonly seriesQuery: string;
        },
      ];
    };
    const [rule] = externalRules;
    const { metric, target } = spec.metrics[0].external;
    expect(metric.name).toBe(rule.name.as);
    expect(target.averageValue).toBe(setting('PAGESPACE_CAPACITY'));
    // Without it, the adapter looks for a label of the namespace, and finds no rule for one.
    expect(rule.resources).toEqual({ namespaced: false });
    const asked = `${rule.metricsQuery} ${rule.seriesQuery}`.match(/pagespace_\w+/g) ?? [];
    expect(asked.filter(each => !metricNames().includes(each))).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['pagespace_sessions', 'pagespace_waiting']));
  });
});
