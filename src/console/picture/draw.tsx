import type { KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { Phase } from '../parts/status-phase.tsx';
import styles from './draw.module.css';
import { curve, curveDown, type Frame, fit, type Node, type Picture } from './place.ts';
import { isWorking, tones } from './resource.ts';

interface DrawProps {
  label: string;
  picture: Picture;
  /** Curves leave at the bottom instead of the right. */
  narrow: boolean;
  selected: string | null;
  /** Where the link of a resource leads. */
  addressOf: (resource: string) => string;
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

const NodeBody = ({ node }: { node: Node }) => {
  const { x, y, width, height, title, about, status } = node;
  const words = status === 'complete' ? about : status;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx={8} />
      <svg x={x + 12} y={y + height / 2 - 8} width={16} height={16} overflow="visible">
        <Phase tone={tones[status]} size={16} />
      </svg>
      <text x={x + 38} y={y + 22} className={styles.title}>
        {fit(title, 21)}
      </text>
      <text x={x + 38} y={y + 39} className={styles.about}>
        {fit(words, 25)}
      </text>
      <title>{`${title}: ${status}`}</title>
    </>
  );
};

const classOf = ({ status }: Node, isSelected: boolean): string =>
  [
    styles.node,
    isWorking(status) ? styles.work : '',
    status === 'failed' ? styles.failed : '',
    tones[status] === 'none' ? styles.pale : '',
    isSelected ? styles.selected : '',
  ].join(' ');

type Step = readonly [across: number, down: number];

const steps: Readonly<Record<string, Step>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Arrows move to the next node in their direction. */
function move(event: KeyboardEvent<SVGSVGElement>): void {
  const step = steps[event.key];
  const from = document.activeElement?.getBoundingClientRect();
  if (!step || !from) return;
  const [across, down] = step;
  const all = [...event.currentTarget.querySelectorAll<SVGAElement>('a')].map((link) => {
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

const Edges = ({ picture: { nodes, edges }, narrow }: Pick<DrawProps, 'picture' | 'narrow'>) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map(({ from, to }) => {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (!a || !b) return null;
    const isBusy = isWorking(b.status) || isWorking(a.status);
    return (
      <path
        key={`${from} ${to}`}
        className={isBusy ? styles.busyEdge : styles.edge}
        d={narrow ? curveDown(a, b) : curve(a, b)}
      />
    );
  });
};

/** The picture as drawing. Every node that stands for a resource is a link; the list has the same content. */
export const Draw = ({ label, picture, narrow, selected, addressOf }: DrawProps) => (
  <div className={styles.scroll}>
    <svg
      className={styles.drawing}
      style={{ width: picture.width, minWidth: picture.width * smallest }}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      role="group"
      aria-label={label}
      onKeyDown={move}
    >
      {picture.frames.map((frame) => (
        <FrameBox key={frame.id} frame={frame} />
      ))}
      <Edges picture={picture} narrow={narrow} />
      {picture.nodes.map((node) => {
        if (node.kind === 'internet') return <Internet key={node.id} node={node} />;
        const name = `${node.title}, ${node.about}, ${node.status}`;
        return node.resource === null ? (
          <g key={node.id} className={classOf(node, false)} role="img" aria-label={name}>
            <NodeBody node={node} />
          </g>
        ) : (
          <Link
            key={node.id}
            to={addressOf(node.resource)}
            replace
            className={classOf(node, node.resource === selected)}
            aria-label={name}
            aria-current={node.resource === selected ? 'true' : undefined}
          >
            <NodeBody node={node} />
          </Link>
        );
      })}
    </svg>
  </div>
);
