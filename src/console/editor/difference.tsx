import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './difference.module.css';
import { reading } from './setup.ts';
import { shadowOf } from './shadow.ts';
import type { Format } from './written.ts';

interface DifferenceProps {
  /** What the texts are, for screen readers. */
  label: string;
  before: string;
  after: string;
  format: Format;
  split: boolean;
}

const folded = { margin: 3, minSize: 5 };

function show(
  root: ShadowRoot,
  { label, before, after, format, split }: DifferenceProps,
): { destroy: () => void } {
  const common = [reading(format), EditorView.contentAttributes.of({ tabindex: '0' })];
  const named = (side: string) => EditorView.contentAttributes.of({ 'aria-label': `${label}: ${side}` });
  if (split)
    return new MergeView({
      root,
      parent: root,
      a: { doc: before, extensions: [common, named('before')] },
      b: { doc: after, extensions: [common, named('after')] },
      collapseUnchanged: folded,
      gutter: true,
    });
  const unified = unifiedMergeView({
    original: before,
    mergeControls: false,
    collapseUnchanged: folded,
    gutter: true,
  });
  return new EditorView({
    root,
    parent: root,
    doc: after,
    extensions: [common, named('before and after'), unified],
  });
}

/** Two texts, in one column or side by side. */
const Difference = (props: DifferenceProps) => {
  const host = useRef<HTMLDivElement>(null);
  const { label, before, after, format, split } = props;
  useEffect(() => {
    if (!host.current) return;
    const view = show(shadowOf(host.current), { label, before, after, format, split });
    return () => view.destroy();
  }, [label, before, after, format, split]);
  return <div ref={host} className={styles.host} />;
};

export default Difference;
