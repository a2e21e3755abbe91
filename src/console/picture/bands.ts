import { bottomOf, margin, type Node } from './place.ts';

/** A part of the picture from left to right. A browser lays out and paints only those near the screen. */
export interface Band {
  top: number;
  height: number;
  nodes: readonly Node[];
}

/** Less than a screen, so that a large picture has bands that are not on it. */
const bandHeight = 660;

/** Each node is in the band where it begins. The height covers all of it: what is outside of a band is cut off. */
export function bandsOf(nodes: readonly Node[]): Band[] {
  const groups = new Map<number, Node[]>();
  for (const node of nodes) {
    const index = Math.floor(node.y / bandHeight);
    const group = groups.get(index);
    if (group) group.push(node);
    else groups.set(index, [node]);
  }
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([, members]) => {
      const top = Math.min(...members.map(({ y }) => y)) - margin;
      return { top, height: Math.max(...members.map(bottomOf)) + margin - top, nodes: members };
    });
}
