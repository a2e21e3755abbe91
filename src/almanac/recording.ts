import { AuditLog } from '../operations/audit/audit.ts';
import type { CheckpointWriter } from '../operations/audit/checkpoint-writer.ts';
import { OpenMark } from '../operations/audit/open-mark.ts';
import type { Service } from '../operations/service.ts';

interface Recording {
  service: Service;
  audit: AuditLog;
  checkpoints: CheckpointWriter;
  auditMark: OpenMark;
}

export async function startRecording(service: Service, failed: (error: unknown) => void) {
  const auditMark = new OpenMark(service, failed);
  await auditMark.start();
  return { audit: new AuditLog(service, failed), auditMark };
}

/** Writes what is still pending, the checkpoints last. */
export async function stopRecording({ service, audit, checkpoints, auditMark }: Recording): Promise<void> {
  await service.documents.close();
  const isComplete = await audit.stop();
  await service.failedSignIns.stop();
  await auditMark.stop(isComplete);
  await checkpoints.stop();
}
