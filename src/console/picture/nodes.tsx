import { consolePath } from '../api/base.ts';
import type { Tone } from '../parts/status/status.ts';
import type { Band } from './bands.ts';
import styles from './draw.module.css';
import { Marks } from './marks.tsx';
import { fit, type Node, type Picture } from './place.ts';
import { keepsServing, toneOf } from './resource.ts';

export interface LinkProps {
  selected: string | null;
  /** Where the link of a resource leads. */
  addressOf: (resource: string) => string;
}

/** The size of the text in units of the picture, which is what 1em is. */
const textSize = 11.5;
const em = (units: number): string => `${units / textSize}em`;

const nameOf = ({ title, about, status, application }: Node): string => {
  const name = `${title}, ${about}, ${status}`;
  if (!application) return name;
  return `${name}, ${application.state}${application.reason && `: ${application.reason}`}`;
};

/** What there is to say about a node that is not well; otherwise what it is. */
const secondLine = ({ about, status, application }: Node): string => {
  if (status !== 'complete') return status;
  if (!application || application.state === 'serving') return about;
  return keepsServing(application) ? 'new container fails' : `application ${application.state}`;
};

/** The title is the first line, and has its look as such: an element for it would be one more to draw. */
const wordsOf = (node: Node): string => `${fit(node.title, 21)}\n${fit(secondLine(node), 25)}`;

const looks: Readonly<Partial<Record<Tone, string | undefined>>> = {
  work: styles.work,
  bad: styles.failed,
  none: styles.pale,
};

const classOf = (node: Node, isSelected: boolean): string =>
  [styles.node, looks[toneOf(node)] ?? '', isSelected ? styles.selected : ''].join(' ');

/** Not a component, and one element: a picture has hundreds of nodes. */
const drawNode = (node: Node, { selected, addressOf }: LinkProps, top: number) => {
  const { id, resource, x, y } = node;
  const isSelected = resource !== null && resource === selected;
  const shared = {
    className: classOf(node, isSelected),
    style: { left: em(x), top: em(y - top) },
    'aria-label': nameOf(node),
  };
  if (resource === null)
    return (
      <span key={id} role="img" {...shared}>
        {wordsOf(node)}
      </span>
    );
  return (
    <a
      key={id}
      href={consolePath + addressOf(resource)}
      aria-current={isSelected ? 'true' : undefined}
      {...shared}
    >
      {wordsOf(node)}
    </a>
  );
};

interface BandProps extends LinkProps {
  band: Band;
  of: Picture;
}

export const NodeBand = ({ band: { top, height, nodes }, of, ...links }: BandProps) => (
  <div
    className={styles.band}
    style={{
      top: `${(100 * top) / of.height}%`,
      height: `${(100 * height) / of.height}%`,
      fontSize: `calc(100cqi * ${textSize} / ${of.width})`,
    }}
  >
    {nodes.map((node) => drawNode(node, links, top))}
    <svg className={styles.marks} viewBox={`0 ${top} ${of.width} ${height}`} role="none">
      <Marks nodes={nodes} />
    </svg>
  </div>
);
