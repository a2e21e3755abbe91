import { checkAt, PhaseShape, toneClass } from '../parts/status/status-phase.tsx';
import type { Node } from './place.ts';
import { toneOf } from './resource.ts';

const placeOf = ({ x, y, height }: Node) => ({ x: x + 12, y: y + height / 2 - 8 });

const checksOf = (nodes: readonly Node[]): string =>
  nodes
    .map(placeOf)
    .map(({ x, y }) => checkAt(x, y))
    .join('');

/** The status of every node as a shape. Those that are well, nearly all, are one element. */
export const Marks = ({ nodes }: { nodes: readonly Node[] }) => {
  const good = nodes.filter((node) => toneOf(node) === 'good');
  return (
    <>
      <path className={toneClass('good')} d={checksOf(good)} fill="currentColor" fillRule="evenodd" />
      {nodes
        .filter((node) => toneOf(node) !== 'good')
        .map((node) => (
          <PhaseShape key={node.id} tone={toneOf(node)} {...placeOf(node)} />
        ))}
    </>
  );
};
