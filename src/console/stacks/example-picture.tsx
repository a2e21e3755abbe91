import type { Example } from '../examples/examples.ts';
import styles from './welcome.module.css';

const box = { width: 84, height: 26 } as const;
const gap = { x: 28, y: 8 } as const;

const heightOf = (count: number): number => count * box.height + (count - 1) * gap.y;

interface Place {
  word: string;
  x: number;
  y: number;
}

/** Lanes side by side, each in the middle. */
function placesIn(lanes: Example['lanes']): Place[][] {
  const tallest = Math.max(...lanes.map(({ length }) => heightOf(length)));
  return lanes.map((words, lane) =>
    words.map((word, row) => ({
      word,
      x: 1 + lane * (box.width + gap.x),
      y: 1 + (tallest - heightOf(words.length)) / 2 + row * (box.height + gap.y),
    })),
  );
}

const lineBetween = (from: Place, to: Place): string =>
  `M${from.x + box.width} ${from.y + box.height / 2}L${to.x} ${to.y + box.height / 2}`;

/** The shape of the example. The list beside it has the same content. */
export const ExamplePicture = ({ lanes }: Pick<Example, 'lanes'>) => {
  const places = placesIn(lanes);
  const lines = places.flatMap((lane, index) =>
    lane.flatMap((from) => (places[index + 1] ?? []).map((to) => lineBetween(from, to))),
  );
  const width = 2 + lanes.length * box.width + (lanes.length - 1) * gap.x;
  const height = 2 + Math.max(...lanes.map(({ length }) => heightOf(length)));
  return (
    <svg className={styles.picture} viewBox={`0 0 ${width} ${height}`} width={width} aria-hidden="true">
      <path d={lines.join('')} />
      {places.flat().map(({ word, x, y }) => (
        <g key={`${x} ${y}`}>
          <rect x={x} y={y} {...box} rx={6} />
          <text x={x + box.width / 2} y={y + 17}>
            {word}
          </text>
        </g>
      ))}
    </svg>
  );
};
