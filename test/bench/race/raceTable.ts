import { markdownTable } from 'markdown-table';
import type { RowResult } from './runRace.ts';

/** Writes the table of the race: medians and 95th percentiles, ratios of pagespace to the others, tokens. */
export function raceTable(results: readonly RowResult[]): string {
  const names = results[0]?.figures.map(({ contestant }) => contestant) ?? [];
  const others = names.slice(1);
  const head = [
    'Median / 95th percentile, in ms',
    ...names,
    ...others.map(name => `to ${name}`),
    'Aim',
    'Tokens of the answers',
  ];
  const rows = results.map(({ row, figures }) => {
    const [ours, ...theirs] = figures;
    const ratios = theirs.map(({ median }) => ((ours?.median ?? Number.NaN) / median).toFixed(2));
    const cells = figures.map(one => {
      const lacking =
        one.complete === null || one.complete === 1 ? '' : `, data in ${Math.round(one.complete * 100)} %`;
      return `${one.median.toFixed(0)} / ${one.p95.toFixed(0)}${lacking}`;
    });
    const aim =
      ours?.toShown != null
        ? `${ours.toShown.toFixed(2)} of the data's arrival, ≤ 1.15`
        : row.aim === null
          ? ''
          : `≤ ${row.aim}`;
    return [row.name, ...cells, ...ratios, aim, figures.map(({ tokens }) => tokens).join(' / ')];
  });
  const align = ['l', ...names.map(() => 'r'), ...others.map(() => 'r'), 'r', 'r'];
  return markdownTable([head, ...rows], { align, alignDelimiters: false });
}
