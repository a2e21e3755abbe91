import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useMemo } from 'react';
import { useLocation } from 'wouter';
import { consolePath } from '../api/base.ts';
import { bandsOf } from './bands.ts';
import styles from './draw.module.css';
import { type LinkProps, NodeBand } from './nodes.tsx';
import { curve, curveDown, type Frame, fit, type Node, type Picture } from './place.ts';
import { isWorking } from './resource.ts';

interface DrawProps extends LinkProps {
  label: string;
  picture: Picture;
  /** Curves leave at the bottom instead of the right. */
  narrow: boolean;
}

/** A wide picture is drawn smaller, down to this part of its size; then it scrolls. */
const smallest = 0.78;

const FrameBox = ({ frame: { x, y, width, height, label } }: { frame: Frame }) => (
  <g className={styles.frame}>
    <rect x={x} y={y} width={width} height={height} rx={10} />
    <text x={x + 13} y={y + 21}>
      {fit(label, Math.floor(width / 8))}
    </text>
  </g>
);

const Internet = ({ node: { x, y, width, height } }: { node: Node }) => {
  const [cx, cy, r] = [x + width / 2, y + height / 2, width / 2];
  return (
    <g className={styles.internet}>
      <circle cx={cx} cy={cy} r={r - 1} />
      <ellipse cx={cx} cy={cy} rx={r / 3} ry={r * 0.62} />
      <path d={`M${cx - r * 0.62} ${cy}h${r * 1.24}M${cx} ${cy - r * 0.62}v${r * 1.24}`} />
      <title>Internet</title>
    </g>
  );
};

type Step = readonly [across: number, down: number];

const steps: Readonly<Record<string, Step>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Arrows move to the next node in their direction. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const from = document.activeElement?.getBoundingClientRect();
  if (!step || !from) return;
  const [across, down] = step;
  const all = [...event.currentTarget.querySelectorAll('a')].map((link) => {
    const box = link.getBoundingClientRect();
    const [dx, dy] = [box.x - from.x, box.y - from.y];
    const ahead = dx * across + dy * down;
    return { link, ahead, cost: ahead + 2 * Math.abs(dx * down + dy * across) };
  });
  const next = all.filter(({ ahead }) => ahead > 4).toSorted((a, b) => a.cost - b.cost)[0];
  if (!next) return;
  event.preventDefault();
  next.link.focus();
}

/** One element for all lines of one look. */
const Edges = ({ picture: { nodes, edges }, narrow }: Pick<DrawProps, 'picture' | 'narrow'>) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = { idle: '', busy: '' };
  for (const { from, to } of edges) {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (!a || !b) continue;
    const look = isWorking(b.status) || isWorking(a.status) ? 'busy' : 'idle';
    lines[look] += narrow ? curveDown(a, b) : curve(a, b);
  }
  return (
    <>
      <path className={styles.edge} d={lines.idle} />
      <path className={styles.busyEdge} d={lines.busy} />
    </>
  );
};

const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

/** The whole name as a title, written when the pointer is there: hundreds would take their time to draw. */
function showName({ target }: PointerEvent<HTMLElement>): void {
  const node = (target as Element).closest('[aria-label]:not([role=group])');
  node?.setAttribute('title', node.getAttribute('aria-label') ?? '');
}

/** One listener for all links: hundreds of components that each follow the address take long to draw. */
function useFollowedLinks(): (event: MouseEvent<HTMLElement>) => void {
  const [, navigate] = useLocation();
  return (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    navigate((link.getAttribute('href') ?? '').slice(consolePath.length), { replace: true });
  };
}

/** The picture as drawing. Every node that stands for a resource is a link; the list has the same content. */
export const Draw = memo(({ label, picture, narrow, selected, addressOf }: DrawProps) => {
  const { width, height, frames, nodes } = picture;
  const internet = nodes.find(({ kind }) => kind === 'internet');
  const bands = useMemo(() => bandsOf(nodes.filter(({ kind }) => kind !== 'internet')), [nodes]);
  return (
    <div className={styles.scroll}>
      <div
        className={styles.drawing}
        style={{ width, minWidth: width * smallest, aspectRatio: `${width} / ${height}` }}
        role="group"
        aria-label={label}
        onKeyDown={move}
        onPointerOver={showName}
        onClick={useFollowedLinks()}
      >
        <svg viewBox={`0 0 ${width} ${height}`} role="none">
          {frames.map((frame) => (
            <FrameBox key={frame.id} frame={frame} />
          ))}
          <Edges picture={picture} narrow={narrow} />
          {internet && <Internet node={internet} />}
        </svg>
        {bands.map((band) => (
          <NodeBand key={band.top} band={band} of={picture} selected={selected} addressOf={addressOf} />
        ))}
      </div>
    </div>
  );
});
