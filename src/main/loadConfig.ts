/** What every command begins with: the configuration, whole and checked. */
import { type EgressRule, parseEgressAllow } from '../browser/egress/egressRules.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';

/** The configuration, and what of it another room reads. */
export interface LoadedConfig {
  readonly config: Config;
  readonly egressRules: readonly EgressRule[];
}

/** @throws ConfigError with every fault of every variable at once */
export function loadConfig(env: NodeJS.ProcessEnv): LoadedConfig {
  const egress = parseEgressAllow(env.PAGESPACE_EGRESS_ALLOW ?? '');
  const config = readConfig(
    env,
    egress.errors.map(fault => `PAGESPACE_EGRESS_ALLOW ${fault}`),
  );
  const missing = [
    ...(config.databaseUrl === null
      ? []
      : ['DATABASE_URL is set, but this version has the embedded store only. Unset it.']),
    ...(config.natsUrl === null
      ? []
      : ['NATS_URL is set, but this version has the bus in the process only. Unset it.']),
  ];
  if (missing.length > 0) throw new ConfigError(missing);
  return { config, egressRules: egress.rules };
}
