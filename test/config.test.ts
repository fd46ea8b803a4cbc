import { describe, expect, it } from 'vitest';
import { ConfigError, configTable, defaultCapacity, localUrl, readConfig } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { loadConfig } from '../src/main/loadConfig.ts';

const machine = { cores: 4, freeBytes: 8_000_000_000 };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, [], machine);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it.each(['/nonexistent', '/dev/null'])('refuses a TMPDIR that is no folder to write to: %s', TMPDIR => {
    expect(() => loadConfig({ TMPDIR })).toThrow(
      `TMPDIR must be a folder that the service can write to, not "${TMPDIR}"`,
    );
  });
});

describe('readConfig', () => {
  it('returns all defaults for an empty environment', () => {
    expect(readConfig({}, [], machine)).toEqual({
      host: '127.0.0.1',
      port: 4000,
      databaseUrl: null,
      natsUrl: null,
      natsCredentials: null,
      natsCa: null,
      nodeId: null,
      metricsToken: null,
      otelServiceName: 'pagespace',
      otlpEndpoint: null,
      traceRatio: 1,
      drainSeconds: 0,
      chromiumPath: null,
      logLevel: 'info',
      dataDir: './data',
      publicUrl: 'http://127.0.0.1:4000',
      egressAllow: '',
      isLocal: true,
      practiceShop: { port: 4001, isRequired: false },
      globalTimeoutMinutes: 30,
      capacity: 26,
      chromiumSandbox: 'auto',
      outerSandbox: 'auto',
      navigationTimeoutSeconds: 30,
      scriptSeconds: 5,
      operationTimeoutSeconds: 60,
      maxBodyBytes: 1_048_576,
      persistedOperationsFile: null,
      onlyPersisted: false,
      connectionLimits: { total: 10_000, perAddress: 1_000 },
      allowedOrigins: [],
      graphiql: true,
      introspection: true,
      sessionsPerBrowser: 4,
      isolateAccounts: true,
      maxLifetimeMinutes: null,
      eventRetentionDays: 30,
      secretsKeys: null,
      sessionFileBytes: 104_857_600,
      accountFileBytes: 10_737_418_240,
      record: 'off',
      pageLog: true,
      recordBytes: 268_435_456,
      recordRetentionDays: null,
      sessionLimits: {
        pages: 500,
        requests: 100_000,
        trafficBytes: 10_000_000_000,
        memoryBytes: 2_000_000_000,
        processorMs: 36_000_000,
      },
      freeLimits: {
        sessionsAtOnce: 2,
        requestsPerMinute: 60,
        browserMinutesPerDay: 60,
        timeoutMinutes: 15,
      },
      paidLimits: {
        sessionsAtOnce: 50,
        requestsPerMinute: 600,
        browserMinutesPerDay: null,
        timeoutMinutes: 30,
      },
      prices: {
        browserMinute: 2_000,
        operation: { start: 0, observe: 500, step: 500, scrape: 1_000, upload: 0 },
      },
      walletChainId: 1,
      walletRpcUrl: null,
      oauthIssuer: null,
      oauthJwksUrl: null,
      oauthAudience: null,
      trustedProxies: 0,
      warmContexts: 2,
    });
  });

  it('parses the limits of a tier, with none for no limit', () => {
    const text = 'requests=none sessions=3 timeout=5 minutes=10';
    expect(readConfig({ PAGESPACE_FREE_LIMITS: text }, [], machine).freeLimits).toEqual({
      sessionsAtOnce: 3,
      requestsPerMinute: null,
      browserMinutesPerDay: 10,
      timeoutMinutes: 5,
    });
  });

  it.each([
    'sessions=2',
    'sessions=0 requests=1 minutes=1 timeout=1',
    'sessions=2 requests=60 minutes=60 timeout=31',
    'x=1',
    'sessions=1 sessions=2 requests=60 minutes=60 timeout=15',
    'sessions=2=3 requests=60 minutes=60 timeout=15',
  ])('rejects %j as the limits of a tier', text => {
    expect(faultsOf({ PAGESPACE_FREE_LIMITS: text }).join()).toContain('PAGESPACE_FREE_LIMITS');
  });

  it('returns a frozen object', () => {
    expect(Object.isFrozen(readConfig({}, [], machine))).toBe(true);
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', NATS_URL: '', PAGESPACE_CAPACITY: '' }, [], machine)).toEqual(
      readConfig({}, [], machine),
    );
  });

  it('parses the variables', () => {
    const config = readConfig(
      {
        HOST: '0.0.0.0',
        PORT: '8080',
        DATABASE_URL: 'postgres://u:p@db/pagespace',
        NATS_URL: 'nats://a:4222, tls://b',
        NATS_CREDENTIALS: '/etc/nats.creds',
        PAGESPACE_NODE_ID: 'node-1',
        PAGESPACE_DRAIN_SECONDS: '600',
        PAGESPACE_PUBLIC_URL: 'https://pages.example.com/',
        PAGESPACE_CAPACITY: '7',
        PAGESPACE_GRAPHIQL: 'off',
        PAGESPACE_INTROSPECTION: 'off',
      },
      [],
      machine,
    );
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      databaseUrl: 'postgres://u:p@db/pagespace',
      natsUrl: 'nats://a:4222,tls://b',
      natsCredentials: '/etc/nats.creds',
      nodeId: 'node-1',
      drainSeconds: 600,
      publicUrl: 'https://pages.example.com',
      capacity: 7,
      graphiql: false,
      introspection: false,
    });
  });

  it('throws all errors together, one per line with variable, rule and value', () => {
    expect(faultsOf({ PORT: 'abc', LOG_LEVEL: 'loud', PAGESPACE_GLOBAL_TIMEOUT_MINUTES: '31' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "abc"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      'PAGESPACE_GLOBAL_TIMEOUT_MINUTES must be a whole number from 1 to 30, not "31"',
    ]);
  });

  it('rejects an unknown PAGESPACE_ variable and names the closest known one', () => {
    expect(faultsOf({ PAGESPACE_CAPACTY: '3' })).toEqual([
      'PAGESPACE_CAPACTY is unknown. Did you mean PAGESPACE_CAPACITY?',
    ]);
  });

  it('names the variable without a prefix when one was written before it', () => {
    expect(faultsOf({ PAGESPACE_LOG_LEVEL: 'info' })).toEqual([
      'PAGESPACE_LOG_LEVEL is unknown. Did you mean LOG_LEVEL?',
    ]);
  });

  it('reports the errors of other modules together with its own', () => {
    const read = () => readConfig({ PORT: 'abc' }, ['PAGESPACE_EGRESS_ALLOW "x y": is no host'], machine);
    expect(read).toThrow(/EGRESS_ALLOW "x y": is no host\n.*PORT must be/);
  });

  it('ignores variables of other programs', () => {
    expect(faultsOf({ PATH: '/bin', PAGE: '1' })).toEqual([]);
  });

  it.each(['-1', '1.5', '1e3', '0x10', ' 80', '65536', '99999999999999999999'])(
    'rejects %j as a port',
    port => {
      expect(faultsOf({ PORT: port })).toHaveLength(1);
    },
  );

  it.each(['x y', 'http://127.0.0.1', '[::1]', '127.0.0.1:80', 'a/b', 'fe80::1%eth0', '256.1.1.1'])(
    'rejects %j as a host',
    host => {
      expect(faultsOf({ HOST: host }).join()).toMatch(/^HOST must be a host name or an IP address, such as/);
    },
  );

  it.each(['127.0.0.1', '::', '::1', 'localhost', 'my_host.internal'])('takes %j as a host', host => {
    expect(readConfig({ HOST: host }, [], machine)).toMatchObject({ host });
  });

  it.each(['PAGESPACE_PUBLIC_URL', 'PAGESPACE_OAUTH_ISSUER', 'PAGESPACE_OAUTH_JWKS_URL'])(
    'rejects a %s from which other addresses cannot be made',
    variable => {
      for (const url of ['https://u:p@x/', 'https://u@x', 'https://x/#a'])
        expect(faultsOf({ [variable]: url }), url).toHaveLength(1);
    },
  );

  it('repeats the first hundred characters of a wrong value, in ASCII', () => {
    expect(faultsOf({ PORT: `\u202E\u001B${'x'.repeat(5_000)}` })).toEqual([
      `PORT must be a whole number from 0 to 65535, not "\\u202e\\u001b${'x'.repeat(98)}" and more`,
    ]);
  });

  it.each([
    { DATABASE_URL: 'mysql://root:hunter2@db/x' },
    { DATABASE_URL: 'postgres://root:hunter2%zz@db/x', NATS_URL: 'nats://bus' },
    { DATABASE_URL: 'postgres://root:hunter2@db/x' },
    { NATS_URL: 'http://root:hunter2@bus' },
    { NATS_URL: 'nats://root:hunter2@bus' },
    { NATS_URL: 'nats://bus,root:hunter2@bus', DATABASE_URL: 'postgres://db/x' },
  ])('never puts the password of %j into an error', env => {
    const faults = faultsOf(env);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).not.toMatch(/hunter2|root/);
  });

  it('says how an address of the database must look', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://db/x' })).toEqual([
      'DATABASE_URL must be an address such as postgres://user:password@host/database, with special characters percent-encoded',
    ]);
  });

  it.each([
    [{ DATABASE_URL: 'postgresql://db/x' }, 'DATABASE_URL is set without NATS_URL.'],
    [{ NATS_URL: 'nats://bus:4222' }, 'NATS_URL is set without DATABASE_URL.'],
    [{ NATS_CA: '/ca.pem' }, 'NATS_CA is set without NATS_URL.'],
    [{ NATS_CREDENTIALS: '/a.creds' }, 'NATS_CREDENTIALS is set without NATS_URL.'],
  ])('rejects %j with the reason', (env, reason) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining(reason)]);
  });

  it('leaves the name of a node without one to its data folder', () => {
    const cluster = { DATABASE_URL: 'postgres://db/x', NATS_URL: 'nats://bus' };
    expect(readConfig(cluster, [], machine).nodeId).toBeNull();
  });
});

describe('defaultCapacity', () => {
  it('is ten sessions per core with enough memory', () => {
    expect(defaultCapacity({ cores: 2, freeBytes: 64_000_000_000 })).toBe(20);
  });
  it('is one session per 300 MB with little memory', () => {
    expect(defaultCapacity({ cores: 16, freeBytes: 3_000_000_000 })).toBe(10);
  });
  it('is never below two', () => {
    expect(defaultCapacity({ cores: 1, freeBytes: 0 })).toBe(2);
  });
});

describe('localUrl', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', 'http://127.0.0.1:4000'],
    ['::1', 'http://[::1]:4000'],
    ['localhost', 'http://localhost:4000'],
  ])('returns for %s %s', (host, url) => {
    expect(localUrl(host, 4000)).toBe(url);
  });
});

describe('configTable', () => {
  it('has a row for each variable', () => {
    const rows = configTable().split('\n').slice(2);
    expect(rows).toHaveLength(Object.keys(SETTINGS).length);
    for (const row of rows) expect(row).toMatch(/^\| `[A-Z_]+` \| .+ \| .+[.:]?.* \|$/);
  });
});

describe('PAGESPACE_ALLOWED_ORIGINS', () => {
  it('is a list of exact origins', () => {
    const text = 'https://a.example, http://localhost:5173';
    expect(readConfig({ PAGESPACE_ALLOWED_ORIGINS: text }, [], machine).allowedOrigins).toEqual([
      'https://a.example',
      'http://localhost:5173',
    ]);
  });

  it.each(['*', 'https://a.example/', 'https://A.example', 'a.example', 'https://*.example', 'null'])(
    'cannot have %s',
    text => {
      expect(faultsOf({ PAGESPACE_ALLOWED_ORIGINS: text })).toEqual([
        `PAGESPACE_ALLOWED_ORIGINS must be exact origins, such as https://dashboard.example.com or http://localhost:5173, not "${text}"`,
      ]);
    },
  );
});

describe('The practice shop', () => {
  it.each([
    [{}, { port: 4001, isRequired: false }],
    [{ PORT: '8080' }, { port: 8081, isRequired: false }],
    [{ PORT: '0' }, { port: 0, isRequired: false }],
    [{ PAGESPACE_PRACTICE_SHOP: 'off' }, null],
    [
      { PAGESPACE_PRACTICE_SHOP: '5000', HOST: '0.0.0.0' },
      { port: 5000, isRequired: true },
    ],
    [{ HOST: '0.0.0.0' }, null],
    [{ PAGESPACE_PUBLIC_URL: 'https://pagespace.example.com' }, null],
    [{ PAGESPACE_TRUSTED_PROXIES: '1' }, null],
    [{ DATABASE_URL: 'postgres://db/x', NATS_URL: 'nats://bus' }, null],
  ])('is, for %j, %j', (env, shop) => {
    expect(readConfig(env, [], machine).practiceShop).toEqual(shop);
  });

  it.each(['on', '70000', '-1'])('cannot be %s', text => {
    expect(faultsOf({ PAGESPACE_PRACTICE_SHOP: text })).toEqual([
      `PAGESPACE_PRACTICE_SHOP must be auto, off, or a port from 0 to 65535, not "${text}"`,
    ]);
  });
});
