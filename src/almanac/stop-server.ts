import type { StopConfig } from '../basics/config/passes.ts';
import type { Log } from '../basics/log.ts';
import { pause } from '../basics/pause.ts';
import type { AuditLog } from '../operations/audit/audit.ts';
import type { CheckpointWriter } from '../operations/audit/checkpoint-writer.ts';
import type { OpenMark } from '../operations/audit/open-mark.ts';
import type { Service } from '../operations/service.ts';
import type { Loop } from '../reconcile/loop.ts';
import { stopRecording } from './recording.ts';

interface RunningServer {
  service: Service;
  server: { close(): PromiseLike<unknown> };
  loop: Pick<Loop, 'stop' | 'giveBack'>;
  audit: AuditLog;
  auditMark: OpenMark;
  checkpoints: CheckpointWriter;
  closeSocket: () => Promise<void>;
  stopKeeping: () => Promise<void>;
  /** From now on, the server is not ready. */
  leaving: AbortController;
  /** From now on, work ends. */
  stopping: AbortController;
  around: { log: Log; stopClock(): void };
  stop: StopConfig;
}

/** For what must not be lost, after the limit. */
const lastMs = 2_000;

async function endAll(running: RunningServer): Promise<void> {
  const { server, loop, closeSocket, stopKeeping, service } = running;
  const closeServer = async () => {
    await closeSocket();
    await server.close();
  };
  // Requests and passes may wait for the same silent cloud: together, not one after the other.
  await Promise.all([closeServer(), loop.stop(), stopKeeping()]);
  await stopRecording(running);
  running.around.stopClock();
  await service.database.close();
}

/** The pending entries of the audit log are stored, leases are given back, and the file of SQLite is complete without its log. */
async function saveAll({ service, loop, audit }: RunningServer): Promise<void> {
  await Promise.allSettled([loop.giveBack(), audit.stop(), service.failedSignIns.stop()]);
  await service.database.close();
}

/** Ends everything. Requests and passes that have not ended within the limit are left as they are, as after a crash. */
export async function stopServer(running: RunningServer): Promise<void> {
  const { service, around, leaving, stopping, stop } = running;
  const { log } = around;
  const { clock } = service;
  const began = clock.now();
  log.info({ delay_ms: stop.delayMs, limit_ms: stop.limitMs }, 'stopping');
  leaving.abort();
  if (stop.delayMs > 0) await pause(clock, stop.delayMs);
  stopping.abort();
  const ended = new AbortController();
  const ending = endAll(running).finally(() => ended.abort());
  await Promise.race([ending, pause(clock, stop.limitMs, ended.signal)]);
  const ms = clock.now() - began;
  if (ended.signal.aborted) return log.info({ ms }, 'stopped');
  log.warn({ ms }, 'stopped at the limit of time, while requests or passes were in progress');
  // The database may hang too.
  await Promise.race([saveAll(running), pause(clock, lastMs)]);
}
