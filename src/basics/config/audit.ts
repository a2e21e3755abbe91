import { join, resolve } from 'node:path';
import { Secret } from '../secret.ts';

export const auditSettings = {
  ALM_AUDIT_CHECKPOINTS: [
    '',
    'file that signed checkpoints of the audit log are appended to; default: ALM_DATA/audit-checkpoints.jsonl',
  ],
  ALM_AUDIT_CHECKPOINT_SECONDS: ['300', 'interval of the checkpoints of the audit log'],
  ALM_AUDIT_WEBHOOK: ['', 'URL that new checkpoints of the audit log are posted to'],
} as const;

export interface AuditConfig {
  checkpointFile: string;
  checkpointSeconds: number;
  /** May contain a password or token. Null: none. */
  webhook: Secret | null;
}

type Name = keyof typeof auditSettings;

interface Readers {
  read: (name: Name) => string;
  number: (name: Name, min: number, max: number) => number;
}

export function readAudit({ read, number }: Readers, dataDirectory: string): AuditConfig {
  const webhook = read('ALM_AUDIT_WEBHOOK');
  if (webhook && !/^https?:$/.test(URL.canParse(webhook) ? new URL(webhook).protocol : ''))
    throw new Error('ALM_AUDIT_WEBHOOK must be a URL that starts with https:// or http://.');
  return {
    checkpointFile: resolve(read('ALM_AUDIT_CHECKPOINTS') || join(dataDirectory, 'audit-checkpoints.jsonl')),
    checkpointSeconds: number('ALM_AUDIT_CHECKPOINT_SECONDS', 1, 86_400),
    webhook: webhook ? new Secret(webhook) : null,
  };
}
