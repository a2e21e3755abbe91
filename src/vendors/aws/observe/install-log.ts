import { callAws, isRejection } from '../errors.ts';
import type { Region } from '../region.ts';

/** CloudFormation reports a failed signal with the id of the instance that sent it, in an event of the waiting resource. */
const failedSignal = /FAILURE signal with UniqueId (i-[0-9a-f]+)/;

/** Written by user-data.sh. */
const marker = 'almanac-install-failed: ';
const maxLength = 1000;

/**
 * Why the installation of a server failed: the end of its log, from the console of the instance, which AWS keeps for an hour.
 * Empty if no server reported a failure, or if AWS does not have the output or does not let the key read it.
 */
export async function readInstallLog(region: Region, messages: readonly string[]): Promise<string> {
  const [, instanceId] = messages.map((message) => failedSignal.exec(message)).find(Boolean) ?? [];
  if (instanceId === undefined) return '';
  const ec2 = await region.clients.ec2();
  try {
    const { Output = '' } = await callAws(() => ec2.getConsoleOutput({ InstanceId: instanceId }));
    return lastReport(Buffer.from(Output, 'base64').toString('utf8'));
  } catch (cause) {
    if (!isRejection(cause)) throw cause;
    return '';
  }
}

function lastReport(output: string): string {
  const at = output.lastIndexOf(marker);
  const [line = ''] = at < 0 ? [] : output.slice(at + marker.length).split(/[\r\n]/, 1);
  return line.trim().slice(0, maxLength);
}
