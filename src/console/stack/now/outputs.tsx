import { Copy } from '../../parts/acts/copy.tsx';
import { Card } from '../../parts/page/card.tsx';
import type { StackNow } from '../data/stack-now.ts';
import styles from './outputs.module.css';

/** Named results of the stack, such as addresses. */
export const Outputs = ({ stack: { outputs } }: { stack: StackNow }) =>
  outputs.length === 0 ? null : (
    <Card title="Outputs">
      <dl className={styles.outputs}>
        {outputs.map(({ OutputKey, OutputValue, Description }) => (
          <div key={OutputKey}>
            <dt>{Description ?? OutputKey}</dt>
            <dd>
              <code>{OutputValue}</code>
              <Copy text={OutputValue} what={`output ${OutputKey}`} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
