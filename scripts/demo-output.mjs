// Output of the demo: aligned columns, with colours on a terminal.
const coloured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint('1');
export const dim = paint('2');
const red = paint('31');
const green = paint('32');
const yellow = paint('33');

export const seconds = (ms) => (ms / 1000).toFixed(1);

const colourOf = (status) => {
  if (status.endsWith('FAILED')) return red;
  return status.endsWith('COMPLETE') ? green : yellow;
};

export const printHeading = (title, about) => console.log(`\n  ${bold(title)}  ${dim(about)}\n`);

/** Pads before colouring, because colour codes have a length but no width. */
export function printEvent(event, elapsed) {
  const time = `${seconds(elapsed)} s`.padStart(8);
  const status = colourOf(event.status)(event.status.padEnd(20));
  const what = event.resource ? `${event.resource.padEnd(28)} ${dim(event.resource_type)}` : event.message;
  console.log(`  ${dim(time)}  ${status} ${what}`);
}

export function printStack(stack) {
  console.log(
    `\n  ${bold(stack.nickname)} ${dim(stack.stack_id)} ${colourOf(stack.stack_status)(stack.stack_status)}`,
  );
  if (stack.stack_status_reason) console.log(`    ${stack.stack_status_reason}`);
  for (const { OutputKey, OutputValue } of stack.stack_outputs)
    console.log(`    ${OutputKey.padEnd(30)} ${OutputValue}`);
  const servers = stack.instances.map(({ InstanceLifecycle }) => InstanceLifecycle ?? 'on demand');
  const spot = servers.filter((kind) => kind === 'spot').length;
  console.log(`    ${'Servers'.padEnd(30)} ${servers.length}, ${spot} of them spot`);
}
