import { encode } from 'uqr';
import styles from '../me.module.css';

/** Around the code must be this many light squares, or cameras do not find it. */
const border = 4;

const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

/** Drawn in the browser: the text leaves it for nowhere. Always dark on light, as cameras expect. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className={styles.qr}
      shapeRendering="crispEdges"
    >
      <path d={pathOf(data)} />
    </svg>
  );
};

export default QrCode;
