import type { Application, Resource, ResourceStatus } from './resource.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A node of the picture: one resource, or several of one kind. */
export interface Node extends Box {
  id: string;
  title: string;
  about: string;
  status: ResourceStatus;
  /** Of a server with a container. */
  application?: Application | null;
  /** What a click selects; null: nothing, as for the Internet. */
  resource: string | null;
  kind: Resource['kind'] | 'internet';
}

/** A labelled frame around nodes. */
export interface Frame extends Box {
  id: string;
  label: string;
}

export interface Edge {
  from: string;
  to: string;
}

export interface Picture {
  width: number;
  height: number;
  frames: readonly Frame[];
  nodes: readonly Node[];
  edges: readonly Edge[];
}

/** Wide enough for the longest words that are drawn in it, in capitals too. */
export const nodeSize = { width: 208, height: 52 } as const;
export const gap = { x: 64, y: 14 } as const;
export const margin = 14;

export const bottomOf = ({ y, height }: Box): number => y + height;
const middleOf = ({ y, height }: Box): number => y + height / 2;

/** Text that fits: the middle is left out, because names differ at their ends. */
export function fit(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-(length - 1 - half))}`;
}

/** A curve from the right side of one box to the left side of another. */
export function curve(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x + from.width, middleOf(from), to.x, middleOf(to)];
  const bend = Math.max(18, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** A curve from the bottom of one box to the top of another, for pictures that go down. */
export function curveDown(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x + from.width / 2, bottomOf(from), to.x + to.width / 2, to.y];
  const bend = Math.max(10, Math.abs(y2 - y1) / 2);
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}

/** Moves boxes of one column to the heights they want, as far as they do not overlap. Keeps their order. */
export function settle<T extends Box>(boxes: readonly T[], wanted: (box: T) => number, top = 0): T[] {
  let free = top;
  return boxes.map((box) => {
    const y = Math.max(free, wanted(box) - box.height / 2);
    free = y + box.height + gap.y;
    return { ...box, y };
  });
}

export const averageMiddle = (boxes: readonly Box[], otherwise: number): number =>
  boxes.length === 0 ? otherwise : boxes.reduce((sum, box) => sum + middleOf(box), 0) / boxes.length;

/** The size of everything. */
export const extent = (boxes: readonly Box[]): { width: number; height: number } => ({
  width: Math.max(0, ...boxes.map(({ x, width }) => x + width)) + margin,
  height: Math.max(0, ...boxes.map(bottomOf)) + margin,
});
