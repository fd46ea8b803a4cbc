/** Packs the weights of networks into bytes. */

import type {
  LearntNetworks,
  PackedWeights,
} from '../../src/browser/injected/scrape/blocks/contentShares.ts';
import { type NetworkWeights, networkSizes } from '../../src/browser/injected/scrape/blocks/contentShares.ts';

const MAX_BYTE = 127;

/** Returns networks as a file has them; the weights lose what a byte cannot hold. */
export function packNetworks(
  networks: readonly NetworkWeights[],
  features: readonly string[],
  { middles, deviations }: Pick<LearntNetworks, 'middles' | 'deviations'>,
): LearntNetworks {
  const units = networks[0]?.firstBias.length ?? 0;
  const parts = Object.keys(networkSizes(features.length, units)) as (keyof NetworkWeights)[];
  return {
    features,
    middles,
    deviations,
    units,
    networks: networks.map(
      weights =>
        Object.fromEntries(parts.map(part => [part, pack(weights[part])])) as unknown as Readonly<
          Record<keyof NetworkWeights, PackedWeights>
        >,
    ),
  };
}

function pack(weights: Float32Array): PackedWeights {
  const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const step = Number((largest / MAX_BYTE || 1).toPrecision(6));
  const bytes = Int8Array.from(weights, weight =>
    Math.max(-MAX_BYTE, Math.min(MAX_BYTE, Math.round(weight / step))),
  );
  return [Buffer.from(bytes.buffer).toString('base64'), step];
}
