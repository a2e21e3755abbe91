import type { ReactNode } from 'react';

const drawings = {
  stacks: (
    <>
      <path d="M8 1.8 14.2 5 8 8.2 1.8 5z" />
      <path d="m1.8 8.2 6.2 3.2 6.2-3.2M1.8 11.2 8 14.4l6.2-3.2" />
    </>
  ),
  key: (
    <>
      <circle cx="5.2" cy="10.8" r="3" />
      <path d="M7.4 8.6 13.6 2.4M11 5l2.2 2.2" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.2" r="2.8" />
      <path d="M2.6 14c.6-3 2.7-4.4 5.4-4.4s4.8 1.4 5.4 4.4" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.6 13.4 4v4c0 3.3-2.2 5.4-5.4 6.4C4.8 13.4 2.6 11.3 2.6 8V4z" />
      <path d="m5.7 8 1.6 1.6 3-3.2" />
    </>
  ),
  code: <path d="M5 4 1.5 8 5 12M11 4l3.5 4L11 12M9.2 2.8 6.8 13.2" />,
  audit: (
    <>
      <path d="M3 2.2h10v11.6H3z" />
      <path d="M5.5 5.5h5M5.5 8h5M5.5 10.5h3" />
    </>
  ),
  flask: <path d="M6 1.8v4.4L2.2 13c-.4.7 0 1.4.8 1.4h10c.8 0 1.2-.7.8-1.4L10 6.2V1.8M4.8 1.8h6.4" />,
  book: (
    <path d="M8 3.5C6.5 2.3 4.5 2 2 2v11c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5V2c-2.5 0-4.5.3-6 1.5zm0 0v11" />
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  close: <path d="m3.5 3.5 9 9m0-9-9 9" />,
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.4" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2c0-.6-.4-1-1-1h-6c-.6 0-1 .4-1 1v6c0 .6.4 1 1 1h2" />
    </>
  ),
  check: <path d="m3 8.5 3.2 3.2L13 4.5" />,
  plus: <path d="M8 3v10M3 8h10" />,
  arrow: <path d="M3 8h10M9 4l4 4-4 4" />,
  down: <path d="m4 6 4 4 4-4" />,
  back: <path d="m10 3-5 5 5 5" />,
  compare: <path d="M5 2v12M11 2v12M2.5 11.5 5 14l2.5-2.5M8.5 4.5 11 2l2.5 2.5" />,
  server: (
    <>
      <rect x="2" y="3" width="12" height="4" rx="1" />
      <rect x="2" y="9" width="12" height="4" rx="1" />
      <path d="M4.5 5h.01M4.5 11h.01" strokeWidth="1.8" />
    </>
  ),
  database: (
    <>
      <ellipse cx="8" cy="4" rx="5.5" ry="2.2" />
      <path d="M2.5 4v8c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2V4M2.5 8c0 1.2 2.5 2.2 5.5 2.2s5.5-1 5.5-2.2" />
    </>
  ),
  terminal: <path d="m2.5 4 4 4-4 4M8 12.5h5.5" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof drawings;

interface IconProps {
  name: IconName;
  size?: number;
}

/** Decoration: the text next to it carries the meaning. */
export const Icon = ({ name, size = 16 }: IconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {drawings[name]}
  </svg>
);

export const Moon = ({ size = 22 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="10.5" fill="none" stroke="var(--gold)" strokeWidth="1.6" />
    <path d="M12 1.5a10.5 10.5 0 0 1 0 21a13.5 13.5 0 0 0 0-21z" fill="var(--gold)" />
  </svg>
);
