import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { DashUsageQuery } from '../generated/operations.ts';
import { notifyFailure } from '../parts/notices.tsx';

type Groups = DashUsageQuery['viewer']['account']['usage']['groups'];

const HEIGHT = 180;
/** Width of a bar as a part of a day, and its maximum in pixels. */
const BAR_WIDTH: [number, number] = [0.6, 40];

/** Draws the chart when its code has been loaded, in the colours of the theme. */
export function UsageChart({ groups }: { groups: Groups }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let chart: uPlot | null = null;
    let isWanted = true;
    const sizes = new ResizeObserver(([entry]) => {
      if (entry !== undefined) chart?.setSize({ width: entry.contentRect.width, height: HEIGHT });
    });
    const draw = async () => {
      const { default: Plot } = await import('uplot');
      const parent = place.current;
      if (!isWanted || parent === null) return;
      const style = getComputedStyle(parent);
      const axis = {
        stroke: style.color,
        grid: { stroke: style.borderTopColor, width: 1 },
        ticks: { show: false },
      };
      const days = [...groups].sort((one, other) => one.name.localeCompare(other.name));
      const bars = Plot.paths.bars?.({ size: BAR_WIDTH, radius: 0.2 });
      chart = new Plot(
        {
          width: parent.clientWidth,
          height: HEIGHT,
          legend: { show: false },
          cursor: { show: false },
          axes: [{ ...axis, grid: { show: false } }, axis],
          scales: { x: { time: true }, y: { range: (_, _least, most) => [0, Math.max(1, most)] } },
          series: [
            {},
            {
              label: 'Operations',
              fill: style.accentColor,
              stroke: style.accentColor,
              ...(bars !== undefined && { paths: bars }),
              points: { show: false },
            },
          ],
        },
        [days.map(({ name }) => Date.parse(name) / 1_000), days.map(({ usage }) => usage.operations)],
        parent,
      );
      sizes.observe(parent);
    };
    draw().catch(notifyFailure);
    return () => {
      isWanted = false;
      sizes.disconnect();
      chart?.destroy();
    };
  }, [groups]);
  return <div ref={place} class="chart" role="img" aria-label="Operations of each day" />;
}
