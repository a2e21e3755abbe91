const seconds = {
  year: 31_536_000,
  month: 2_592_000,
  week: 604_800,
  day: 86_400,
  hour: 3600,
  minute: 60,
} as const;

type Unit = keyof typeof seconds;

/** Words for one unit before or after now, where English has them. */
const nearby: Readonly<Partial<Record<Unit, readonly [before: string, after: string]>>> = {
  year: ['last year', 'next year'],
  month: ['last month', 'next month'],
  week: ['last week', 'next week'],
  day: ['yesterday', 'tomorrow'],
};

/** Without Intl: its first use takes a browser longer than drawing a page, see `exactTime`. */
function relative(count: number, unit: Unit | 'second'): string {
  const [size, isPast] = [Math.abs(count), count > 0];
  const near = unit === 'second' ? undefined : nearby[unit];
  if (size === 1 && near) return near[isPast ? 0 : 1];
  const words = `${size} ${unit}${size === 1 ? '' : 's'}`;
  return isPast ? `${words} ago` : `in ${words}`;
}

/** 4 minutes ago */
export function ago(time: number, now: number): string {
  const passed = Math.round((now - time) / 1000);
  if (Math.abs(passed) < 5) return 'just now';
  for (const [unit, length] of Object.entries(seconds))
    if (Math.abs(passed) >= length) return relative(Math.round(passed / length), unit as Unit);
  return relative(passed, 'second');
}

/** 1 min 40 s */
export function span(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1000));
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}

let exact: Intl.DateTimeFormat | undefined;

/**
 * Nov 16, 2026, 4:10:54 PM GMT+1. For what is shown on request: the first use of Intl loads the data of all languages, 20 to 100
 * ms in a page that has just been opened.
 */
export function exactTime(time: number): string {
  exact ??= new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
  return exact.format(time);
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** 16:10:54 */
export function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}
