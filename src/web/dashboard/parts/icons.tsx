/** The icons, as paths on a grid of 16. */
import type { JSX } from 'preact';

const PATHS = {
  sessions: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  grid: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z',
  try: 'M4.5 2.8v10.4l8.5-5.2z',
  usage: 'M2.5 13.5v-4.5M6.2 13.5v-8M9.8 13.5v-6M13.5 13.5v-11',
  keys: 'M8.2 7.8l5.3-5.3M11 5l2 2M8.8 10.2a3 3 0 1 1-3-3a3 3 0 0 1 3 3',
  service: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.1M5 11h.1',
  console: 'M3 4.5l3.5 3.5l-3.5 3.5M8.5 12h5',
  network: 'M5 13v-10M2.5 5.5l2.5-2.5l2.5 2.5M11 3v10M8.5 10.5l2.5 2.5l2.5-2.5',
  back: 'M9.5 3l-5 5l5 5',
  forward: 'M6.5 3l5 5l-5 5',
  reload: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12a5 5 0 1 1 0-10a5 5 0 0 1 0 10M10.6 10.6l3 3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.2 3.2l6.8-7.2',
  up: 'M8 13v-10M4 7l4-4l4 4',
  down: 'M8 3v10M4 9l4 4l4-4',
  clock: 'M8 4.5v3.5l2.5 1.5M8 14a6 6 0 1 1 0-12a6 6 0 0 1 0 12',
  play: 'M5 3.2v9.6l7.5-4.8z',
  pause: 'M5.5 3v10M10.5 3v10',
  signOut: 'M6.5 2.5h-4v11h4M6 8h7.5M10.5 5l3 3l-3 3',
  boxes: 'M2.5 5v-2.5h2.5M11 2.5h2.5v2.5M13.5 11v2.5h-2.5M5 13.5h-2.5v-2.5M5.5 6h5v4h-5z',
  file: 'M4 1.8h5l3 3v9.4h-8zM9 2v3h3',
  warn: 'M8 6.2v3.4M8 11.6v.2M8 2l6.5 11.5h-13z',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  hand: 'M5 8v-4.2a1 1 0 0 1 2 0v3.4v-4.4a1 1 0 0 1 2 0v4.4v-3.4a1 1 0 0 1 2 0v6.2a4 4 0 0 1-4 4c-2 0-3-1-4-3l-1-2.2a1 1 0 0 1 1.8-.8z',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
  theme: 'M8 2.5a5.5 5.5 0 0 1 0 11zM8 13.5a5.5 5.5 0 0 1 0-11',
  link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4l-1.5 1.5M9 11l-1.5 1.5a2.8 2.8 0 0 1-4-4l1.5-1.5',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
